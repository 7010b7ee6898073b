import type { EvmReader } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { ChainReader } from '../../chains/types';
import { AppError } from '../../domain/errors';
import type { Family, NetworkName } from '../../domain/networks';
import { absent, type Slot } from '../../domain/slots';
import type { TokenMetadata } from '../../entities/tokens/token.store';
import type { Services } from '../services';
import { infoOf, type TokenBalance, type TokenInfo } from './asset-info';
import { hiddenHoldings } from './evm/hidden-holdings';
import { solanaHoldings } from './solana-balances';
import type { Holder } from './wallets';

export type UniqueToken = { readonly contract: string; readonly tokenId: string };
export type Collectible = UniqueToken & { readonly kind: 'Erc721'; readonly symbol?: string };

type TokenFamily = {
  readonly metadataOf: Slot<(reader: ChainReader, contract: string) => Promise<TokenMetadata | undefined>>;
  /** The result omits tokens that the wallet does not hold. */
  readonly holdingsOf: Slot<(reader: ChainReader, wallet: Holder, tokens: readonly TokenInfo[]) => Promise<TokenBalance[]>>;
  /** The unique tokens among `candidates` that the wallet owns. */
  readonly collectiblesOf: Slot<
    (reader: ChainReader, wallet: Holder, candidates: readonly UniqueToken[]) => Promise<Collectible[]>
  >;
  /** Tokens whose balance this service cannot read; null if the family has no such tokens. */
  readonly hiddenHoldingsOf: ((services: Services, reader: ChainReader, wallet: Holder) => Promise<TokenBalance[]>) | null;
};

const collectiblesOfEvm = async (
  reader: ChainReader,
  { address }: Holder,
  candidates: readonly UniqueToken[],
): Promise<Collectible[]> => {
  const evm = inFamily('evm', reader);
  const found = await Promise.all(candidates.map(({ contract, tokenId }) => evm.collectible(contract, tokenId)));
  return candidates.flatMap((token, index) => {
    const { owner, ...symbol } = found[index] ?? { owner: undefined };
    return owner === address ? [{ kind: 'Erc721' as const, ...token, ...symbol }] : [];
  });
};

const holdingsOfEvm = async (reader: ChainReader, { address }: Holder, tokens: readonly TokenInfo[]): Promise<TokenBalance[]> => {
  const evm = inFamily('evm', reader);
  const balances = await Promise.all(tokens.map(({ contract }) => tokenBalance(evm, contract, address)));
  return tokens.flatMap((token, index): TokenBalance[] => {
    const units = balances[index] ?? 0n;
    return units === 0n ? [] : [{ kind: 'Erc20', contract: token.contract, ...infoOf(token), balance: String(units) }];
  });
};

/**
 * The balance is zero if the address has no contract. The contract of a listed token might not exist on this chain, and the
 * contract of a used token might have been destroyed.
 */
async function tokenBalance(reader: EvmReader, contract: string, address: string): Promise<bigint> {
  try {
    return await reader.tokenBalance(contract, address);
  } catch (error) {
    if (error instanceof AppError && error.code === 'AssetNotSupported') return 0n;
    throw error;
  }
}

const holdingsOfSolana = async (
  reader: ChainReader,
  { network, address }: Holder,
  tokens: readonly TokenInfo[],
): Promise<TokenBalance[]> => {
  const mints = tokens.map(({ contract }) => contract);
  const holdings = await solanaHoldings(inFamily('solana', reader), network, address, mints);
  return tokens.flatMap((token): TokenBalance[] => {
    const { program, units } = holdings.get(token.contract) ?? { program: 'Spl', units: 0n };
    return units === 0n ? [] : [{ kind: program, mint: token.contract, ...infoOf(token), balance: String(units) }];
  });
};

const NO_TOKENS = absent('This is for networks of the family evm', { family: 'evm' });
const FAMILIES: Readonly<Record<Family, TokenFamily>> = {
  evm: {
    metadataOf: (reader, contract) => inFamily('evm', reader).tokenMetadata(contract),
    holdingsOf: holdingsOfEvm,
    collectiblesOf: collectiblesOfEvm,
    hiddenHoldingsOf: hiddenHoldings,
  },
  solana: {
    metadataOf: (reader, contract) => inFamily('solana', reader).mint(contract),
    holdingsOf: holdingsOfSolana,
    collectiblesOf: NO_TOKENS,
    hiddenHoldingsOf: null,
  },
  utxo: { metadataOf: NO_TOKENS, holdingsOf: NO_TOKENS, collectiblesOf: NO_TOKENS, hiddenHoldingsOf: null },
};

export const tokensOn = (network: NetworkName): TokenFamily => FAMILIES[networkOf(network).family];
