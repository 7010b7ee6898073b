import type { SplProgram } from '../../chains/solana/types';
import type { Network } from '../../chains/types';

/** `verified` is true for native assets and for the tokens in the network's record. */
export type AssetInfo = { readonly symbol?: string; readonly decimals: number; readonly verified: boolean };

/**
 * Replaces a balance that only the network can read. `BigInt` refuses this text, so code that calculates with the text fails.
 */
export const UNREADABLE = 'Unknown' as const;

export type AssetBalance = AssetInfo &
  (
    | { readonly kind: 'Native'; readonly balance: string }
    | { readonly kind: 'Erc20'; readonly contract: string; readonly balance: string }
    | { readonly kind: 'Erc7984'; readonly contract: string; readonly balance: typeof UNREADABLE }
    | { readonly kind: SplProgram; readonly mint: string; readonly balance: string }
  );
export type TokenBalance = Extract<AssetBalance, { readonly contract: string } | { readonly mint: string }>;

export type TokenInfo = AssetInfo & { readonly contract: string };

export const TOKENS_LISTED_MAX = 100;

export const listedToken = (network: Network, contract: string) => network.tokens.find((token) => token.contract === contract);

export const symbolOf = (from: { readonly symbol?: string | null } | undefined) => (from?.symbol ? { symbol: from.symbol } : {});

export const infoOf = ({ symbol, decimals, verified }: AssetInfo): AssetInfo => ({
  ...symbolOf({ symbol: symbol ?? null }),
  decimals,
  verified,
});
