import type { UtxoNetwork } from '../types';

/** Address versions, genesis and maturity as in chainparams.cpp of Bitcoin Core, dust as in its policy.cpp at 3 sat per byte. Every signet has this genesis, whatever its challenge (BIP325). */
export const bitcoinSignet: UtxoNetwork = {
  name: 'BitcoinSignet',
  family: 'utxo',
  isMainnet: false,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'BTC', decimals: 8 },
  confirmations: 3,
  feeCeilingUnits: 1_000_000n,
  signerFeeCeilingUnits: 2_000_000n,
  inFlightMax: 16,
  slip44: 1,
  explorerTxUrl: 'https://mempool.space/signet/tx/{txHash}',
  tokens: [],
  genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  hrp: 'tb',
  forms: ['P2WPKH', 'P2TR', 'P2PKH', 'P2SH-P2WPKH'],
  versions: { publicKeyHash: 0x6f, scriptHash: 0xc4 },
  dustUnits: { P2PKH: 546n, 'P2SH-P2WPKH': 540n, P2WPKH: 294n, P2TR: 330n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: true,
  digest: 'Segwit',
};
