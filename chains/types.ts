import type { NetworkName } from '../domain/networks';
import type { EvmCall, EvmTerms } from '../domain/transactions';
import type { FeePriority, TransferAsset } from '../domain/transfers';

export type Token = { readonly contract: string; readonly symbol: string; readonly decimals: number; readonly verified: boolean };

/** One network as data. Amounts are smallest units of the native asset; a fee above `feeCeilingUnits` is never approved, one above `signerFeeCeilingUnits` never signed. */
export type Network = {
  readonly name: NetworkName;
  readonly family: 'evm';
  readonly isMainnet: boolean;
  readonly chainId: number;
  readonly curve: 'secp256k1';
  readonly scheme: 'ECDSA';
  readonly nativeAsset: { readonly symbol: string; readonly decimals: number };
  /** Blocks including the one of the transaction, after which it counts as final. */
  readonly confirmations: number;
  readonly feeCeilingUnits: bigint;
  readonly signerFeeCeilingUnits: bigint;
  /** Signed and unconfirmed transactions one sender may have: nodes drop more than a handful. */
  readonly inFlightMax: number;
  readonly slip44: number;
  /** `{txHash}` stands where the transaction id goes. */
  readonly explorerTxUrl?: string;
  readonly tokens: readonly Token[];
};

/** What was asked for and approved. Addresses are canonical (EIP-55), the amount is in smallest units of the asset. */
export type TransferIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly asset: TransferAsset;
};

/** Gas is a count, both prices are wei per gas. */
export type FeeTerms = { readonly gas: bigint; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
export type UnsignedTx = {
  readonly bytesHex: string;
  readonly digestHex: string;
  readonly nonce: number;
  readonly maxFeeUnits: bigint;
};
/** `r` and `s` are 32 bytes each as 0x-hex; `s` is in the lower half. */
export type Signature = { readonly r: string; readonly s: string; readonly recoveryId: 0 | 1 };
export type SignedTx = { readonly rawHex: string; readonly txHash: string };

/** What unsigned bytes do, as read by code that did not build them. Whatever was not understood is named in `opaque`; such bytes are never signed. */
export type DecodedTx = {
  readonly chainId: number;
  readonly nonce: number;
  readonly recipient: string;
  readonly amountUnits: bigint;
  readonly asset: TransferAsset;
  readonly maxFeeUnits: bigint;
  readonly opaque: readonly string[];
};

/** What a raw transaction moves, as far as its bytes tell. `Call` is everything whose effect they do not: nobody can name who gains what. */
export type Effect = {
  readonly asset: TransferAsset | { readonly kind: 'Call' };
  /** Who receives value; for a `Call` the contract or account that is called. */
  readonly recipient: string;
  /** In smallest units of the asset; for a `Call` the native value that goes along. */
  readonly amountUnits: bigint;
};

/** What unsigned bytes of any type are, as read by code that did not build them; `opaque` as in `DecodedTx`. */
export type DecodedCall = {
  readonly chainId: number;
  readonly nonce: number;
  readonly maxFeeUnits: bigint;
  readonly call: EvmCall;
  readonly effect: Effect;
  readonly opaque: readonly string[];
};

/** A token that others may take with a signature: `recipient` is who may, `amountUnits` at most how much. */
export type Spend = {
  readonly chainId: number;
  /** Canonical address of the token. */
  readonly contract: string;
  readonly recipient: string;
  readonly amountUnits: bigint;
};

export type Quantity = string | number;

/** A raw transaction as callers write it: quantities are decimal digits, 0x-hex or integers. */
export type TransactionInput = {
  readonly type?: Quantity | undefined;
  readonly chainId?: Quantity | undefined;
  readonly from?: string | undefined;
  readonly to?: string | null | undefined;
  readonly value?: Quantity | undefined;
  readonly data?: string | undefined;
  readonly nonce?: Quantity | undefined;
  readonly gasLimit?: Quantity | undefined;
  readonly gasPrice?: Quantity | undefined;
  readonly maxFeePerGas?: Quantity | undefined;
  readonly maxPriorityFeePerGas?: Quantity | undefined;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] | undefined;
  readonly authorizationList?: readonly AuthorizationInput[] | undefined;
};
export type AuthorizationInput = {
  readonly chainId: Quantity;
  readonly address: string;
  readonly nonce: Quantity;
  readonly yParity: Quantity;
  readonly r: string;
  readonly s: string;
};

/** The pure half of a family: addresses, unsigned bytes, and the signature put into place. */
export interface Codec {
  addressOf(publicKeyHex: string): string;
  /** Answers the canonical form; throws `InvalidAddress` for a wrong format or checksum. */
  parseAddress(text: string): string;
  build(intent: TransferIntent, nonce: number, fees: FeeTerms): UnsignedTx;
  /**
   * Reads a transaction from its members, or from the hex of its unsigned bytes. `at` is its path in the request: throws `InvalidRequest`
   * that names the field, for what is no transaction of this network or not the sender's.
   */
  termsOf(input: TransactionInput | string, from: string, at: string): EvmTerms;
  effectOf(call: EvmCall): Effect;
  buildCall(call: EvmCall, nonce: number, fees: FeeTerms): UnsignedTx;
  /** Throws unless the signature is low-S and recovers to `from`. */
  attach(unsigned: UnsignedTx, signature: Signature, from: string): SignedTx;
}

/** The second opinion on bytes: shares no code with `Codec`, so that one fault or one bad library cannot sign for both. */
export interface Decoder {
  /** Never throws on bytes it cannot read: they come back with a non-empty `opaque`. */
  decode(unsignedBytesHex: string): DecodedTx;
  /** The same for a raw transaction of any type; never throws either. */
  decodeCall(unsignedBytesHex: string): DecodedCall;
  /** The 32 bytes a signature over these unsigned bytes signs. */
  digestOf(unsignedBytesHex: string): Uint8Array;
  addressOf(publicKeyHex: string): string;
  sameAddress(a: string, b: string): boolean;
}

/** Reads of a network. Every method throws `NetworkUnavailable` when no configured node answers. */
export interface Reader {
  chainId(): Promise<number>;
  nativeBalance(address: string): Promise<bigint>;
  tokenBalance(contract: string, address: string): Promise<bigint>;
  /** Undefined when there is no contract with readable decimals; a symbol that cannot be read is left out. */
  tokenMetadata(contract: string): Promise<{ symbol?: string; decimals: number } | undefined>;
  transactionCount(address: string, at: 'latest' | 'pending'): Promise<number>;
  /** Throws `TransferWouldFail` when the network says that the transfer would revert or cannot be paid. */
  feeTerms(intent: TransferIntent, priority: FeePriority): Promise<FeeTerms>;
  /**
   * The same for a raw transaction: what was asked for stays, the rest is filled in. With a gas limit given nothing is tried out
   * beforehand, because the transaction may build on one that is not mined yet.
   */
  callFees(from: string, terms: EvmTerms): Promise<FeeTerms>;
}

export type BroadcastOutcome =
  | 'Accepted'
  | 'AlreadyKnown'
  | 'NonceTooLow'
  | 'InsufficientFunds'
  | 'Underpriced'
  | { readonly kind: 'Rejected'; readonly reason: string };
export type BlockRef = { readonly height: number; readonly hash: string };
export type Block = BlockRef & { readonly parentHash: string; readonly txHashes: readonly string[] };
export type Receipt = {
  readonly height: number;
  readonly blockHash: string;
  readonly success: boolean;
  readonly feeUnits: bigint;
};

/** Sends transactions and follows blocks. Every method throws `NetworkUnavailable` when no node answers: after a broadcast that means unknown, never failed. */
export interface Gateway {
  broadcast(rawHex: string, txHash: string): Promise<BroadcastOutcome>;
  head(): Promise<BlockRef>;
  block(height: number): Promise<Block | undefined>;
  /** Only transactions that are in a block of the node's present chain appear. */
  receipts(txHashes: readonly string[]): Promise<Map<string, Receipt>>;
  /** Whether the node knows the transaction, in a block or waiting for one. */
  isKnown(txHash: string): Promise<boolean>;
}

/** One question to the nodes of a network, for the metrics. `Refused`: a node understood and said no; `Unavailable`: none answered. */
export type OnRpcCall = (call: {
  readonly network: string;
  readonly method: string;
  readonly outcome: 'Answered' | 'Refused' | 'Unavailable';
  readonly seconds: number;
}) => void;
