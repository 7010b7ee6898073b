import type { UtxoNetwork } from '../types';

/**
 * Address versions, genesis and maturity are as in chainparams.cpp of Dogecoin Core 1.14. Dust and fee are as in
 * doc/fee-recommendation.md. Few nodes replace unconfirmed transactions, so the service does not rely on replacement.
 */
export const dogecoinTestnet: UtxoNetwork = {
  name: 'DogecoinTestnet',
  family: 'utxo',
  isMainnet: false,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'DOGE', decimals: 8 },
  confirmations: 3,
  feeCeilingUnits: 2_000_000_000n,
  signerFeeCeilingUnits: 5_000_000_000n,
  inFlightMax: 16,
  slip44: 1,
  explorerTxUrl: 'https://sochain.com/tx/DOGETEST/{txHash}',
  tokens: [],
  genesisHash: 'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e',
  forms: ['P2PKH'],
  versions: { publicKeyHash: 0x71, scriptHash: 0xc4 },
  dustUnits: { P2PKH: 1_000_000n, 'P2SH-P2WPKH': 1_000_000n, P2WPKH: 1_000_000n, P2TR: 1_000_000n },
  feeRateFloor: 1_000_000n,
  coinbaseMaturity: 240,
  replaceable: false,
  digest: 'Legacy',
  proofOfWork: 'Scrypt',
  mergeMined: true,
};
