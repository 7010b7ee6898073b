import type { CoinLookup } from '../../chains/types';

/** No watched address has received a coin. */
export const noCoins: CoinLookup = async () => new Map();
