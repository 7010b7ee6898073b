import type { UtxoNetwork } from '../types';

/**
 * Address versions and genesis are as in chainparams.cpp of Litecoin Core. Dust is as in policy.h at 30 litoshi per byte. Script
 * addresses with Bitcoin's version are not read, because these addresses are valid on Bitcoin as well. Litecoin Core does not
 * replace transactions unless `mempoolreplacement` is set.
 */
export const litecoinTestnet: UtxoNetwork = {
  name: 'LitecoinTestnet',
  family: 'utxo',
  isMainnet: false,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'LTC', decimals: 8 },
  confirmations: 3,
  feeCeilingUnits: 10_000_000n,
  signerFeeCeilingUnits: 20_000_000n,
  inFlightMax: 16,
  slip44: 1,
  explorerTxUrl: 'https://litecoinspace.org/testnet/tx/{txHash}',
  tokens: [],
  genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
  hrp: 'tltc',
  forms: ['P2WPKH', 'P2TR', 'P2PKH', 'P2SH-P2WPKH'],
  versions: { publicKeyHash: 0x6f, scriptHash: 0x3a },
  dustUnits: { P2PKH: 5_460n, 'P2SH-P2WPKH': 5_400n, P2WPKH: 2_940n, P2TR: 3_300n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: true,
  keepsFirst: true,
  digest: 'Segwit',
  proofOfWork: 'Scrypt',
  hasExtensionBlocks: true,
};
