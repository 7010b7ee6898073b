import type { CodecBase, NetworkBase, ReaderBase } from '../types';

/** `genesisHash` is what a node answers to `getGenesisHash`. */
export type SolanaNetwork = NetworkBase & {
  readonly family: 'solana';
  readonly curve: 'ed25519';
  readonly scheme: 'EdDSA';
  readonly genesisHash: string;
};

/** Addresses and unsigned transactions of Solana. */
export interface SolanaCodec extends CodecBase {
  readonly family: 'solana';
}

export interface SolanaDecoder {
  readonly family: 'solana';
  addressOf(publicKeyHex: string): string;
}

export interface SolanaReader extends ReaderBase {
  readonly family: 'solana';
}
