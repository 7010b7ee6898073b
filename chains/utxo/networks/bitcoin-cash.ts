import type { UtxoNetwork } from '../types';

/**
 * Address versions, genesis and the block of the fork are as in chainparams.cpp of Bitcoin Cash Node. `ownBlock` is the first
 * block after the split of eCash (checkpoints of libbitcoin). eCash and Bitcoin SV do not have this block. Only CashAddr
 * addresses are read, because a base58 address would be a Bitcoin address as well.
 */
export const bitcoinCash: UtxoNetwork = {
  name: 'BitcoinCash',
  family: 'utxo',
  isMainnet: true,
  standing: 'Live',
  tier: 1,
  curve: 'secp256k1',
  scheme: 'ECDSA',
  nativeAsset: { symbol: 'BCH', decimals: 8 },
  confirmations: 10,
  feeCeilingUnits: 1_000_000n,
  signerFeeCeilingUnits: 2_000_000n,
  inFlightMax: 16,
  slip44: 145,
  explorerTxUrl: 'https://explorer.melroy.org/tx/{txHash}',
  tokens: [],
  genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  forkHash: '000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec',
  ownBlock: { height: 661_648, hash: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce' },
  cashPrefix: 'bitcoincash',
  forms: ['P2PKH'],
  versions: { publicKeyHash: 0x00, scriptHash: 0x05 },
  dustUnits: { P2PKH: 546n, 'P2SH-P2WPKH': 540n, P2WPKH: 294n, P2TR: 330n },
  feeRateFloor: 1_000n,
  coinbaseMaturity: 100,
  replaceable: false,
  weighsAlone: true,
  digest: 'ForkId',
  proofOfWork: 'Sha256',
};
