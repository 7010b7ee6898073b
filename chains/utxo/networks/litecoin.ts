import type { UtxoNetwork } from '../types';

/**
 * Address versions and genesis are as in chainparams.cpp of Litecoin Core. Dust is as in policy.h at 30 litoshi per byte. Script
 * addresses with Bitcoin's version are not read, because these addresses are valid on Bitcoin as well. Litecoin Core does not
 * replace transactions unless `mempoolreplacement` is set.
 */
export const litecoin: UtxoNetwork = {
  name: 'Litecoin',
  family: 'utxo',
  isMainnet: true,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'LTC', decimals: 8 },
  confirmations: 12,
  feeCeilingUnits: 10_000_000n,
  signerFeeCeilingUnits: 20_000_000n,
  inFlightMax: 16,
  slip44: 2,
  explorerTxUrl: 'https://litecoinspace.org/tx/{txHash}',
  tokens: [],
  genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  hrp: 'ltc',
  forms: ['P2WPKH', 'P2TR', 'P2PKH', 'P2SH-P2WPKH'],
  versions: { publicKeyHash: 0x30, scriptHash: 0x32 },
  dustUnits: { P2PKH: 5_460n, 'P2SH-P2WPKH': 5_400n, P2WPKH: 2_940n, P2TR: 3_300n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: true,
  keepsFirst: true,
  digest: 'Segwit',
  proofOfWork: 'Scrypt',
  hasExtensionBlocks: true,
};
