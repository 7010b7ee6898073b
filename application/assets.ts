import type { EvmReader } from '../chains/evm/types';
import { inFamily } from '../chains/families';
import { networkOf } from '../chains/networks';
import type { Network, Reader as NetworkReader } from '../chains/types';
import { AppError } from '../domain/errors';
import type { NetworkName } from '../domain/networks';
import type { TransferAsset } from '../domain/transfers';
import type { Database, Tx } from '../entities/database';
import type { TokenEntity } from '../entities/tokens/token.entity';
import { type TokenMetadata, tokenStore } from '../entities/tokens/token.store';
import type { Services } from './services';
import type { UsableWallet } from './wallets';

/** What is known of an asset. `verified` is true for native assets and for tokens that the network's record vouches for. */
export type AssetInfo = { readonly symbol?: string; readonly decimals: number; readonly verified: boolean };

export type AssetBalance = AssetInfo & { readonly balance: string } & (
    | { readonly kind: 'Native' }
    | { readonly kind: 'Erc20'; readonly contract: string }
  );

const TOKENS_LISTED_MAX = 100;

/** Pinned tokens belong to the network and to no organisation: the transaction that pins one sees nobody's rows. */
const NO_ORGANIZATION = '';

const listedToken = (network: Network, contract: string) => network.tokens.find((token) => token.contract === contract);

/** Throws `AssetNotSupported` when the decimals are not those that the record or the first use of the token said (S13). */
function assertDecimals(network: Network, contract: string, expected: number, answered: number): void {
  if (expected === answered) return;
  throw new AppError('AssetNotSupported', `The decimals of ${contract} are ${expected} and the network answers ${answered}`, {
    network: network.name,
    contract,
  });
}

/**
 * Keeps the decimals that a token had at its first use: the first write wins, and a node or a contract that says something
 * else later is refused with `AssetNotSupported`. `contract` is canonical.
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
 * What a transfer says of its asset. Asks the network, so it is called before a transaction begins. Throws
 * `AssetNotSupported` for a contract that is no token or whose decimals have changed, `NetworkUnavailable` when no node answers.
 */
export async function assetOf(
  services: { readonly db: Database; readonly readers: (network: NetworkName) => NetworkReader },
  network: NetworkName,
  asset: TransferAsset,
): Promise<AssetInfo> {
  if (asset.kind === 'Native') return { ...networkOf(network).nativeAsset, verified: true };
  const { contract } = asset;
  const metadata = await inFamily('evm', services.readers(network)).tokenMetadata(contract);
  if (!metadata) throw new AppError('AssetNotSupported', `There is no ERC-20 token at ${contract}`, { network, contract });
  return services.db.withOrg(NO_ORGANIZATION, (tx) => pinToken(tx, network, contract, metadata));
}

/**
 * The native balance, and every token of the network's record or of the wallet's transfers of which the wallet holds some.
 * Throws `NetworkUnavailable` when no node answers: a balance that is not known is never shown as zero.
 */
export async function balancesOf(services: Services, wallet: UsableWallet): Promise<AssetBalance[]> {
  const network = networkOf(wallet.network);
  const reader = inFamily('evm', services.readers(wallet.network));
  const used = await tokenStore.usedBy(services.db.read(wallet.orgId), wallet.id, TOKENS_LISTED_MAX);
  const tokens = [
    ...network.tokens,
    ...used.filter(({ contract }) => !listedToken(network, contract)).map((token) => unlisted(token)),
  ];
  const [native, ...balances] = await Promise.all([
    reader.nativeBalance(wallet.address),
    ...tokens.map(({ contract }) => tokenBalance(reader, contract, wallet.address)),
  ]);
  const held = tokens.flatMap((token, index): AssetBalance[] => {
    const units = balances[index] ?? 0n;
    return units === 0n ? [] : [{ kind: 'Erc20', contract: token.contract, ...infoOf(token), balance: String(units) }];
  });
  return [{ kind: 'Native', ...network.nativeAsset, verified: true, balance: String(native) }, ...held];
}

/** A contract of the list need not be on this chain, and one that was used may be gone: neither holds anything. */
async function tokenBalance(reader: EvmReader, contract: string, address: string): Promise<bigint> {
  try {
    return await reader.tokenBalance(contract, address);
  } catch (error) {
    if (error instanceof AppError && error.code === 'AssetNotSupported') return 0n;
    throw error;
  }
}

const symbolOf = (from: { readonly symbol?: string | null } | undefined) => (from?.symbol ? { symbol: from.symbol } : {});

const unlisted = ({ contract, symbol, decimals }: TokenEntity) => ({
  contract,
  ...symbolOf({ symbol }),
  decimals,
  verified: false,
});

const infoOf = ({ symbol, decimals, verified }: AssetInfo): AssetInfo => ({
  ...symbolOf({ symbol: symbol ?? null }),
  decimals,
  verified,
});
