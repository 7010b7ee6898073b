import type { UtxoNetwork } from '../types';

/**
 * Address versions, genesis and maturity are as in chainparams.cpp of Bitcoin Core. Dust is as in policy.cpp of Bitcoin Core at
 * 3 sat per byte. BIP94 defines this network.
 */
export const bitcoinTestnet4: UtxoNetwork = {
  name: 'BitcoinTestnet4',
  family: 'utxo',
  isMainnet: false,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'BTC', decimals: 8 },
  confirmations: 6,
  feeCeilingUnits: 1_000_000n,
  signerFeeCeilingUnits: 2_000_000n,
  inFlightMax: 16,
  slip44: 1,
  explorerTxUrl: 'https://mempool.space/testnet4/tx/{txHash}',
  tokens: [],
  genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  hrp: 'tb',
  forms: ['P2WPKH', 'P2TR', 'P2PKH', 'P2SH-P2WPKH'],
  versions: { publicKeyHash: 0x6f, scriptHash: 0xc4 },
  dustUnits: { P2PKH: 546n, 'P2SH-P2WPKH': 540n, P2WPKH: 294n, P2TR: 330n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: true,
  digest: 'Segwit',
  proofOfWork: 'Sha256',
};
