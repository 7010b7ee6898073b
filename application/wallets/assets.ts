import { networkOf } from '../../chains/networks';
import type { Network, ChainReader as NetworkReader } from '../../chains/types';
import { assertTierHas, tierHas } from '../../domain/capability-tiers';
import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import { inSlot } from '../../domain/slots';
import type { TransferAsset } from '../../domain/transfers';
import type { Database, Tx } from '../../entities/database';
import type { TokenEntity } from '../../entities/tokens/token.entity';
import { type TokenMetadata, tokenStore } from '../../entities/tokens/token.store';
import type { Services } from '../services';
import {
  type AssetBalance,
  type AssetInfo,
  infoOf,
  listedToken,
  symbolOf,
  TOKENS_LISTED_MAX,
  type TokenInfo,
} from './asset-info';
import { tokensOn } from './families';
import type { Holder } from './wallets';

/**
 * Tokens and prices belong to a network and not to an organisation. A database transaction with this organisation id sees no
 * rows of any organisation.
 */
export const NO_ORGANIZATION = '';

/** Throws `AssetNotSupported` if the decimals from the network differ from the expected decimals (S13). */
function assertDecimals(network: Network, contract: string, expected: number, answered: number): void {
  if (expected === answered) return;
  throw new AppError(
    'AssetNotSupported',
    `The decimals of ${contract} are known to be ${expected}, but the network now returns ${answered}`,
    {
      network: network.name,
      contract,
    },
  );
}

/**
 * Stores the decimals at the first use of a token. If a node or the contract later returns other decimals, throws
 * `AssetNotSupported`. `contract` is canonical.
 */
export async function pinToken(tx: Tx, name: NetworkName, contract: string, metadata: TokenMetadata): Promise<AssetInfo> {
  const network = networkOf(name);
  const listed = listedToken(network, contract);
  if (listed) assertDecimals(network, contract, listed.decimals, metadata.decimals);
  await tokenStore.pin(tx, name, contract, { decimals: metadata.decimals, ...symbolOf(listed ?? metadata) });
  const pinned = await tokenStore.find(tx, name, contract);
  if (pinned) assertDecimals(network, contract, pinned.decimals, metadata.decimals);
  return infoOf(listed ?? { ...symbolOf(pinned), decimals: metadata.decimals, verified: false });
}

/**
 * Queries the network, so call this function before a database transaction begins. Throws `AssetNotSupported` for a contract
 * that is not a token or whose decimals have changed, and `NetworkUnavailable` if no node responds.
 */
export async function assetOf(
  services: { readonly db: Database; readonly readers: (network: NetworkName) => NetworkReader },
  network: NetworkName,
  asset: TransferAsset,
): Promise<AssetInfo> {
  if (asset.kind === 'Native') return { ...networkOf(network).nativeAsset, verified: true };
  const { contract } = asset;
  const metadata = await inSlot(tokensOn(network).metadataOf)(services.readers(network), contract);
  if (!metadata) throw new AppError('AssetNotSupported', `There is no token at ${contract}`, { network, contract });
  return services.db.withOrg(NO_ORGANIZATION, (tx) => pinToken(tx, network, contract, metadata));
}

export const assetColumns = (info: AssetInfo | undefined) => ({
  assetSymbol: info?.symbol ?? null,
  assetDecimals: info?.decimals ?? null,
  assetVerified: info?.verified ?? false,
});

/**
 * Used for a call that looks like a token transfer but may be something else. Undefined if the contract is not a token, or if the
 * decimals of the token have changed. The value of the call is then unknown (S13).
 */
export const assetIfAny = (...asked: Parameters<typeof assetOf>): Promise<AssetInfo | undefined> =>
  ifSupported(assetOf(...asked));

/** Used for a token whose decimals a block contains. Undefined if these decimals differ from the stored decimals (S13). */
export const assetNamed = (
  db: Database,
  network: NetworkName,
  contract: string,
  decimals: number,
): Promise<AssetInfo | undefined> =>
  ifSupported(db.withOrg(NO_ORGANIZATION, (tx) => pinToken(tx, network, contract, { decimals })));

async function ifSupported(asset: Promise<AssetInfo>): Promise<AssetInfo | undefined> {
  try {
    return await asset;
  } catch (error) {
    if (error instanceof AppError && error.code === 'AssetNotSupported') return undefined;
    throw error;
  }
}

/**
 * The native balance and the balances of tokens. The tokens come from the network's record, from the wallet's transfers, and from
 * the movements that were read from blocks. Throws `NetworkUnavailable` if no node responds, because an unknown balance must
 * never be shown as zero. Throws `NotFound` if the network's tier has no balances.
 */
export async function balancesOf(services: Services, wallet: Holder): Promise<AssetBalance[]> {
  const network = networkOf(wallet.network);
  assertTierHas(network, 'Balance');
  const reader = services.readers(wallet.network);
  const family = tokensOn(wallet.network);
  const hasTokens = tierHas(network.tier, 'Tokens');
  const tokens = hasTokens ? await tokensOf(services, wallet, network) : [];
  const [native, held, hidden] = await Promise.all([
    reader.nativeBalance(wallet.address),
    tokens.length === 0 ? [] : inSlot(family.holdingsOf)(reader, wallet, tokens),
    hasTokens ? (family.hiddenHoldingsOf?.(services, reader, wallet) ?? []) : [],
  ]);
  return [{ kind: 'Native', ...network.nativeAsset, verified: true, balance: String(native) }, ...held, ...hidden];
}

async function tokensOf({ db }: Services, { orgId, id }: Holder, network: Network): Promise<readonly TokenInfo[]> {
  const reader = db.read(orgId);
  const [asked, moved] = await Promise.all([
    tokenStore.usedBy(reader, id, { hideAmounts: false, tokensMax: TOKENS_LISTED_MAX }),
    tokenStore.movedBy(reader, id, TOKENS_LISTED_MAX),
  ]);
  const used = [...new Map([...asked, ...moved].map((token) => [token.contract, token])).values()].slice(0, TOKENS_LISTED_MAX);
  return [...network.tokens, ...used.filter(({ contract }) => !listedToken(network, contract)).map((token) => unlisted(token))];
}

const unlisted = ({ contract, symbol, decimals }: TokenEntity) => ({
  contract,
  ...symbolOf({ symbol }),
  decimals,
  verified: false,
});
