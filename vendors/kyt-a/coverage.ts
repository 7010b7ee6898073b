/** Networks whose native asset the vendor screens. `EthereumSepolia` is the network of the vendor's sandbox. */
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

export const TOKEN_NETWORKS: ReadonlySet<string> = new Set([
  'ArbitrumOne',
  'AvalancheC',
  'Bsc',
  'Ethereum',
  'EthereumSepolia',
  'Optimism',
  'Polygon',
]);
