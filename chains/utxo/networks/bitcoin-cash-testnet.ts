import type { UtxoNetwork } from '../types';

/** Address versions and genesis are as in chainparams.cpp of Bitcoin Cash Node (testnet4). */
export const bitcoinCashTestnet: UtxoNetwork = {
  name: 'BitcoinCashTestnet',
  family: 'utxo',
  isMainnet: false,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'BCH', decimals: 8 },
  confirmations: 3,
  feeCeilingUnits: 1_000_000n,
  signerFeeCeilingUnits: 2_000_000n,
  inFlightMax: 16,
  slip44: 1,
  tokens: [],
  genesisHash: '000000001dd410c49a788668ce26751718cc797474d3152a5fc073dd44fd9f7b',
  cashPrefix: 'bchtest',
  forms: ['P2PKH'],
  versions: { publicKeyHash: 0x6f, scriptHash: 0xc4 },
  dustUnits: { P2PKH: 546n, 'P2SH-P2WPKH': 540n, P2WPKH: 294n, P2TR: 330n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: false,
  weighsAlone: true,
  digest: 'ForkId',
};
