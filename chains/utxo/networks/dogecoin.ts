import type { UtxoNetwork } from '../types';

/**
 * Address versions, genesis and maturity are as in chainparams.cpp of Dogecoin Core 1.14. Dust and fee are as in
 * doc/fee-recommendation.md. Few nodes replace unconfirmed transactions, so the service does not rely on replacement.
 */
export const dogecoin: UtxoNetwork = {
  name: 'Dogecoin',
  family: 'utxo',
  isMainnet: true,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'DOGE', decimals: 8 },
  confirmations: 40,
  feeCeilingUnits: 2_000_000_000n,
  signerFeeCeilingUnits: 5_000_000_000n,
  inFlightMax: 16,
  slip44: 3,
  explorerTxUrl: 'https://dogechain.info/tx/{txHash}',
  tokens: [],
  genesisHash: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
  forms: ['P2PKH'],
  versions: { publicKeyHash: 0x1e, scriptHash: 0x16 },
  dustUnits: { P2PKH: 1_000_000n, 'P2SH-P2WPKH': 1_000_000n, P2WPKH: 1_000_000n, P2TR: 1_000_000n },
  feeRateFloor: 1_000_000n,
  coinbaseMaturity: 240,
  replaceable: false,
  digest: 'Legacy',
  proofOfWork: 'Scrypt',
  mergeMined: true,
};
