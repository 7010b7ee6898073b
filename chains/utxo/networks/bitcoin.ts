import type { UtxoNetwork } from '../types';

/**
 * Address versions, genesis and maturity are as in chainparams.cpp of Bitcoin Core. Dust is as in policy.cpp of Bitcoin Core at
 * 3 sat per byte. `ownBlock` is the first block after the split of Bitcoin Cash (checkpoints of libbitcoin).
 */
export const bitcoin: UtxoNetwork = {
  name: 'Bitcoin',
  family: 'utxo',
  isMainnet: true,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'BTC', decimals: 8 },
  confirmations: 6,
  feeCeilingUnits: 1_000_000n,
  signerFeeCeilingUnits: 2_000_000n,
  inFlightMax: 16,
  slip44: 0,
  explorerTxUrl: 'https://mempool.space/tx/{txHash}',
  tokens: [],
  genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  ownBlock: { height: 478_559, hash: '00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148' },
  hrp: 'bc',
  forms: ['P2WPKH', 'P2TR', 'P2PKH', 'P2SH-P2WPKH'],
  versions: { publicKeyHash: 0x00, scriptHash: 0x05 },
  dustUnits: { P2PKH: 546n, 'P2SH-P2WPKH': 540n, P2WPKH: 294n, P2TR: 330n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: true,
  digest: 'Segwit',
  proofOfWork: 'Sha256',
};
