/** Networks whose native asset the vendor screens. The test network is that of its sandbox. */
export const NATIVE_NETWORKS: ReadonlySet<string> = new Set([
  'Algorand',
  'ArbitrumOne',
  'AvalancheC',
  'Bitcoin',
  'Bsc',
  'Ethereum',
  'EthereumSepolia',
  'FantomOpera',
  'Litecoin',
  'Optimism',
  'Polygon',
  'Solana',
  'Tron',
  'XrpLedger',
]);

/** The networks in this list whose tokens the vendor screens as well. */
export const TOKEN_NETWORKS: ReadonlySet<string> = new Set([
  'ArbitrumOne',
  'AvalancheC',
  'Bsc',
  'Ethereum',
  'EthereumSepolia',
  'Optimism',
  'Polygon',
]);
