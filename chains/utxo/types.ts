import type { CodecBase, NetworkBase, ReaderBase } from '../types';

/** How an output is locked: BIP44 (base58), BIP49, BIP84 and BIP86 in the order of their age. */
export type OutputForm = 'P2PKH' | 'P2SH-P2WPKH' | 'P2WPKH' | 'P2TR';

/** `genesisHash` is the block hash that a node names for height 0. */
export type UtxoNetwork = NetworkBase & {
  readonly family: 'utxo';
  readonly curve: 'secp256k1';
  readonly scheme: 'ECDSA';
  readonly genesisHash: string;
  /** The first one is what a new wallet gets. */
  readonly forms: readonly OutputForm[];
};

/** Addresses and unsigned transactions of Bitcoin and what descends from it. */
export interface UtxoCodec extends CodecBase {
  readonly family: 'utxo';
}

export interface UtxoDecoder {
  readonly family: 'utxo';
  addressOf(publicKeyHex: string): string;
}

export interface UtxoReader extends ReaderBase {
  readonly family: 'utxo';
}
