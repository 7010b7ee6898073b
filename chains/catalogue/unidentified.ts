import { bareNetworks, SECP256K1 } from './record';

const EVM = {
  family: 'evm',
  key: SECP256K1,
  addressForm: '0x and 40 hexadecimal digits (EIP-55)',
  decimals: 18,
  slip44: 60,
  tier: 3,
} as const;
const UNCLEAR = { standing: 'Unclear', note: 'no chain id in the list of viem or in any other trusted source' } as const;
const UNCLEAR_TEST = { ...UNCLEAR, isMainnet: false } as const;
/** Besu is software, not a chain: each operator chooses the chain id. */
const PRIVATE = {
  standing: 'Unclear',
  note: 'a private network of its operator, never published',
  isMainnet: false,
} as const;

/**
 * EVM networks that are not served because their chain id is uncertain. With a wrong chain id, a signature would be valid on
 * another chain.
 */
export const UNCLEAR_EVM = bareNetworks(EVM, {
  AdiTestnet: UNCLEAR_TEST,
  BesuTestnet: PRIVATE,
  BesuTestnet2: PRIVATE,
  BesuTestnet3: PRIVATE,
  BesuTestnet4: PRIVATE,
  BrokerChain: { ...UNCLEAR, note: 'one public repository has chain id 1051, which nothing confirms' },
  BrokerChainSepolia: UNCLEAR_TEST,
  TempoAndantino: {
    ...{ isMainnet: false, standing: 'Retired', note: 'ended and was replaced by Moderato' },
    ...{ symbol: 'USD' },
  },
  Tsc: {
    ...UNCLEAR,
    note: 'several public chains have this name, one of them with chain id 345, and it is unknown which chain the interface names',
  },
  TscTestnet1: UNCLEAR_TEST,
});
