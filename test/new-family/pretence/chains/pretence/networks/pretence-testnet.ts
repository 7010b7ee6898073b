import type { PretenceNetwork } from '../types';

export const pretenceTestnet: PretenceNetwork = {
  name: 'PretenceTestnet',
  family: 'pretence',
  isMainnet: false,
  standing: 'Live',
  tier: 3,
  chainId: 'pretence-1',
  scheme: 'EdDSA',
  curve: 'ed25519',
  nativeAsset: { symbol: 'PRE', decimals: 7 },
  confirmations: 1,
  feeCeilingUnits: 500n,
  signerFeeCeilingUnits: 1_000n,
  inFlightMax: 1,
  slip44: 1,
  tokens: [],
};
