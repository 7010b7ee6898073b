import type { SolanaRawTerms } from '../../domain/transactions';
import type { FeePriority } from '../../domain/transfers';
import type { CodecBase, Effect, NetworkBase, ReaderBase, SignedTx, TransferIntent, UnsignedBytes } from '../types';

/** `genesisHash` is a node's reply to `getGenesisHash`. */
export type SolanaNetwork = NetworkBase & {
  readonly family: 'solana';
  readonly curve: 'ed25519';
  readonly scheme: 'EdDSA';
  readonly genesisHash: string;
};

/** The programs are Token and Token-2022. */
export type SplProgram = 'Spl' | 'Spl2022';

/** `memo` goes unchanged into the transaction. `to` is the owner of the token account, and never the token account itself. */
export type SolanaIntent = TransferIntent & {
  readonly memo?: string | undefined;
  /**
   * The account that pays the network fee and signs first. The default is the sender, who always pays the rent of a
   * token account.
   */
  readonly feePayer?: string | undefined;
};

/**
 * Bytes with a blockhash stay valid for about 150 blocks. Bytes with a durable nonce stay valid until the nonce is advanced.
 */
export type SolanaLifetime =
  | { readonly kind: 'blockhash'; readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };

/** `source` and `destination` are token accounts. With `createsDestination` the transfer also creates `destination`. */
export type SolanaTokenTerms = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly source: string;
  readonly destination: string;
  readonly createsDestination: boolean;
};

/** Prices are in micro-lamports per compute unit. */
export type SolanaTerms = {
  readonly lifetime: SolanaLifetime;
  readonly computeUnitLimit: number;
  readonly microLamportsPerUnit: bigint;
  readonly token?: SolanaTokenTerms;
};

/** Each address is derived from the payer and a seed, so that only the payer must sign. */
export type SolanaNonceAccounts = {
  readonly from: string;
  readonly authority: string;
  readonly accounts: readonly { readonly seed: string; readonly address: string }[];
  /** The rent of an account of 80 bytes. */
  readonly rentUnits: bigint;
};

/** One of several signatures is requested for this message. `maxFeeUnits` is the maximum that the fee payer pays. */
export type SolanaPartial = {
  readonly messageHex: string;
  readonly feePayer: string;
  readonly lifetime: DecodedSolana['lifetime'];
  readonly maxFeeUnits: bigint;
};

/** In `UnsignedBytes`, `bytesHex` is the message, and `digestHex` is the SHA-256 of the message. */
export interface SolanaCodec extends CodecBase {
  readonly family: 'solana';
  /** False for an address that a program derives: no key for the address can exist. */
  isOnCurve(address: string): boolean;
  /** The account in which an owner keeps tokens of a mint unless the owner names another account. */
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): Promise<string>;
  /** The address of the account that `base` creates with this seed, and that the system program owns. */
  seedAddress(base: string, seed: string): Promise<string>;
  /** Builds a message of version 0. `maxFeeUnits` includes the maximum rent of a token account that the message creates. */
  build(intent: SolanaIntent, terms: SolanaTerms): UnsignedBytes;
  /** The fee without a compute unit price. */
  leastFeeUnits(signatures: number): bigint;
  buildNonceAccounts(asked: SolanaNonceAccounts, terms: Omit<SolanaTerms, 'token'>): UnsignedBytes;
  /**
   * Reads a transaction or a bare message, as 0x-hex, hex or base64. Throws `InvalidRequest` with the path `at` for a transaction
   * that is signed, has a different signer or uses a lookup table. An instruction that the service never signs causes the same
   * error.
   */
  termsOf(text: string, from: string, at: string): SolanaRawTerms;
  /**
   * For anything but a plain transfer, the effect is a `Call` without an amount. The recipient of tokens is the same as
   * in `SolanaDecoder.effectOf`.
   */
  effectOf(messageHex: string): Effect;
  /** `blockhash` is inserted if the sender left the blockhash open. */
  buildRaw(terms: SolanaRawTerms, blockhash: string | null): UnsignedBytes;
  /** True for a transaction or a bare message. */
  isTransaction(bytesHex: string): boolean;
  /**
   * Unlike `termsOf`, allows other signers, a different fee payer and lookup tables. Throws `InvalidRequest` with the path `at`
   * if `signer` need not sign or has signed already. An instruction that the service never signs causes the same error.
   */
  partialOf(text: string, signer: string, at: string): SolanaPartial;
  /**
   * Returns the bytes to send, and the transaction's id if the fee payer has signed. The signatures of other signers are kept.
   * Throws unless the new signature verifies.
   */
  signPartial(text: string, signatureHex: string, signer: string): { readonly rawHex: string; readonly txHash?: string };
  /**
   * `signatureHex` is 64 bytes as 0x-hex, and the resulting `txHash` is the signature in base58. Throws unless the signature
   * verifies for `from`.
   */
  attach(unsigned: UnsignedBytes, signatureHex: string, from: string): SignedTx;
}

/** The effect, to the extent that the bytes of the instruction show it. */
export type SolanaInstruction =
  | { readonly kind: 'Transfer'; readonly from: string; readonly to: string; readonly lamports: bigint }
  | {
      readonly kind: 'TokenTransfer';
      readonly program: SplProgram;
      readonly source: string;
      readonly mint: string;
      readonly destination: string;
      readonly authority: string;
      readonly amountUnits: bigint;
      readonly decimals: number;
    }
  | {
      readonly kind: 'CreateTokenAccount';
      readonly program: SplProgram;
      readonly payer: string;
      readonly account: string;
      readonly owner: string;
      readonly mint: string;
    }
  | { readonly kind: 'AdvanceNonce'; readonly account: string; readonly authority: string }
  | {
      readonly kind: 'CreateAccountWithSeed';
      readonly payer: string;
      readonly account: string;
      readonly base: string;
      readonly seed: string;
      readonly lamports: bigint;
      readonly space: bigint;
      readonly owner: string;
    }
  | { readonly kind: 'InitializeNonce'; readonly account: string; readonly authority: string }
  | { readonly kind: 'ComputeUnitLimit'; readonly units: number }
  | { readonly kind: 'ComputeUnitPrice'; readonly microLamports: bigint }
  | { readonly kind: 'Memo'; readonly text: string }
  /** The service never signs this instruction. */
  | { readonly kind: 'Refused'; readonly name: string }
  | { readonly kind: 'Unknown'; readonly program: string };

/**
 * A message as read by code that did not build it. `opaque` lists everything that this code did not understand, and everything
 * that the service never signs.
 */
export type DecodedSolana = {
  readonly version: 'legacy' | 0;
  readonly signers: readonly string[];
  readonly feePayer: string;
  /** If the first instruction advances a durable nonce, the message contains the value of the nonce in place of a blockhash. */
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };
  readonly instructions: readonly SolanaInstruction[];
  /** The fee for signatures and compute units, and the maximum rent of every token account that may be created. */
  readonly maxFeeUnits: bigint;
  /** The part of `maxFeeUnits` that is rent. The creator of the account pays the rent and need not be the fee payer. */
  readonly maxRentUnits: bigint;
  readonly opaque: readonly string[];
};

/**
 * `owner` is the only signer and pays for the accounts. Only `authority` can use them. `dearestUnits` is the largest amount that
 * goes into one account.
 */
export type CreatedNonceAccounts = {
  readonly owner: string;
  readonly authority: string;
  readonly seeds: readonly string[];
  readonly dearestUnits: bigint;
};

/** `destination` is the recipient's token account, or the recipient of SOL. */
export type DecodedSolanaTransfer = Pick<
  DecodedSolana,
  'signers' | 'feePayer' | 'lifetime' | 'maxFeeUnits' | 'maxRentUnits' | 'opaque'
> & {
  readonly asset: { readonly kind: 'Native' } | { readonly kind: SplProgram; readonly contract: string };
  readonly from: string;
  readonly source: string;
  readonly destination: string;
  readonly amountUnits: bigint;
  /** Null for SOL. */
  readonly decimals: number | null;
  readonly memo: string | null;
  readonly createsDestination: boolean;
};

/**
 * The decoder shares neither code nor client libraries with `SolanaCodec`: one fault must not build wrong bytes and also
 * approve these bytes.
 */
export interface SolanaDecoder {
  readonly family: 'solana';
  /** This method never throws: for unreadable bytes, the result has a non-empty `opaque`. */
  decode(messageHex: string): DecodedSolana;
  /** `opaque` also lists each part that is neither the one transfer nor an instruction that the transfer may need. */
  decodeTransfer(messageHex: string): DecodedSolanaTransfer;
  /** The names of the instructions that the service never signs. */
  refused(messageHex: string): readonly string[];
  /**
   * The message in the form in which a raw transaction is approved. Undefined for a transaction that the service never signs.
   */
  callOf(messageHex: string): SolanaRawTerms['call'] | undefined;
  /**
   * The effect is a `Call` for anything but a plain transfer. If the message creates the token account, the recipient is the
   * owner of the account. Otherwise the recipient is the token account, because the bytes do not show the owner.
   */
  effectOf(messageHex: string): Effect;
  /** True if a message only uses up its durable nonce. The message may also set the price and limit of compute units. */
  advancesAlone(messageHex: string): boolean;
  /** The nonce accounts that the message creates. Undefined if the message does anything else. */
  nonceAccountsIn(messageHex: string): CreatedNonceAccounts | undefined;
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): string;
  isTransaction(bytesHex: string): boolean;
  /** Applies the strict rules of validators. The signature is 64 bytes in hex. */
  verifies(messageHex: string, signatureHex: string, address: string): boolean;
  addressOf(publicKeyHex: string): string;
}

/** `owner` is the program that owns the account. */
export type SolanaAccount = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/** The mint forbids transfers, names a program that every transfer calls, or is paused. */
export type MintBlocker = 'NonTransferable' | 'TransferHook' | 'Paused';

/** The fee is `basisPoints` ten-thousandths of the amount, rounded up, and at most `maximumUnits`. */
export type MintFee = { readonly basisPoints: number; readonly maximumUnits: bigint };

export type SolanaMint = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly blockers: readonly MintBlocker[];
  /** The fee that the mint withholds from each transfer (Token-2022). */
  readonly transferFee?: MintFee;
};

export type SolanaTokenAccount = {
  readonly program: SplProgram;
  readonly mint: string;
  readonly owner: string;
  readonly units: bigint;
  readonly isFrozen: boolean;
  /** True if the owner accepts only transfers with a memo. */
  readonly needsMemo: boolean;
};

export type SolanaNonce = { readonly authority: string; readonly value: string };

/** `slot` is the slot at which the node replied. */
export type SolanaBlockhash = { readonly blockhash: string; readonly lastValidBlockHeight: bigint; readonly slot: number };

export interface SolanaReader extends ReaderBase {
  readonly family: 'solana';
  /** The accounts in the order of the addresses. Undefined for an address without an account. */
  accounts(addresses: readonly string[]): Promise<(SolanaAccount | undefined)[]>;
  /** The mint with its fee in the current epoch. Undefined for an account that is not a mint of either token program. */
  mint(address: string): Promise<SolanaMint | undefined>;
  /** The accounts in the order of the addresses. Undefined for an address without a token account. */
  tokenAccounts(addresses: readonly string[]): Promise<(SolanaTokenAccount | undefined)[]>;
  /** The nonces in the order of the addresses. Undefined for an address without an initialised nonce account. */
  nonces(addresses: readonly string[]): Promise<(SolanaNonce | undefined)[]>;
  /** The lamports that an account of this size must hold so that the network keeps it. */
  rentUnits(bytes: number): Promise<bigint>;
  latestBlockhash(): Promise<SolanaBlockhash>;
  /** True if a transaction with this blockhash can still get into a block. */
  isRecent(blockhash: string): Promise<boolean>;
  /** The price in micro-lamports, from recent transactions that wrote to these accounts. */
  unitPrice(priority: FeePriority, writable: readonly string[]): Promise<bigint>;
  /** True if a finalized block in the nodes' history holds the transaction with this first signature. */
  isIncluded(signature: string): Promise<boolean>;
  /**
   * The signatures by the key of this address in finalized transactions. Transactions whose first signature is known are
   * not read.
   */
  signedBy(address: string, isKnown: (signature: string) => boolean): Promise<readonly string[]>;
  /**
   * Simulates without signatures and returns the compute units. Throws `TransferWouldFail` when the network reports that the
   * message would fail.
   */
  simulate(messageHex: string): Promise<number>;
}

export type SolanaTypes = {
  readonly network: SolanaNetwork;
  readonly codec: SolanaCodec;
  readonly decoder: SolanaDecoder;
  readonly reader: SolanaReader;
};
