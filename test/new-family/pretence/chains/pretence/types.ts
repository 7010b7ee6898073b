import type { CodecBase, NetworkBase, ReaderBase, SignedTx, UnsignedBytes } from '../types';

export type PretenceNetwork = NetworkBase & {
  readonly family: 'pretence';
  readonly scheme: 'EdDSA';
  readonly curve: 'ed25519';
  /** The node's identification of its chain. */
  readonly chainId: string;
};

/** One line of the ledger: its bytes are JSON with sorted keys. `sequence` counts the lines of a sender. */
export type Entry = {
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly feeUnits: bigint;
  readonly sequence: number;
};

export interface PretenceCodec extends CodecBase {
  readonly family: 'pretence';
  build(entry: Entry): UnsignedBytes;
  /** Appends the 64 bytes of the signature to the entry. */
  attach(bytesHex: string, signatureHex: string): SignedTx;
  /** Recognises a transaction of any chain of the family, signed or not. Never throws. */
  isTransaction(bytesHex: string): boolean;
}

export interface PretenceDecoder {
  readonly family: 'pretence';
  addressOf(publicKeyHex: string): string;
  /** Undefined for bytes that are not an entry of this chain. */
  entryIn(bytesHex: string): Entry | undefined;
  /** Recognises a transaction of any chain of the family, signed or not. Never throws. */
  isTransaction(bytesHex: string): boolean;
}

export interface PretenceReader extends ReaderBase {
  readonly family: 'pretence';
  nextSequence(address: string): Promise<number>;
}

export type PretenceTypes = {
  readonly network: PretenceNetwork;
  readonly codec: PretenceCodec;
  readonly decoder: PretenceDecoder;
  readonly reader: PretenceReader;
};
