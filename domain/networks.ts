/** Networks with a record; the record itself is `chains/<family>/networks/<name>.ts`. */
export const NETWORK_NAMES = ['Ethereum', 'EthereumSepolia'] as const;

export type NetworkName = (typeof NETWORK_NAMES)[number];
