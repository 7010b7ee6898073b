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

/** The two programs that keep tokens: Token and Token-2022. */
export type SplProgram = 'Spl' | 'Spl2022';

/** `memo` goes into the transaction as it is, before the transfer. `to` is the owner of the token account, never the account itself. */
export type SolanaIntent = TransferIntent & {
  readonly memo?: string | undefined;
  /**
   * The account that pays the network fee and signs first; the sender unless set. The sender always pays the rent of a token
   * account.
   */
  readonly feePayer?: string | undefined;
};

/** The lifetime of the bytes: about 150 blocks after that of their blockhash, or until the durable nonce is advanced. */
export type SolanaLifetime =
  | { readonly kind: 'blockhash'; readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };

/**
 * The network's facts about a transfer of tokens. The accounts are token accounts; with `createsDestination` the transfer creates the
 * recipient's.
 */
export type SolanaTokenTerms = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly source: string;
  readonly destination: string;
  readonly createsDestination: boolean;
};

/** Prices are micro-lamports per compute unit. */
export type SolanaTerms = {
  readonly lifetime: SolanaLifetime;
  readonly computeUnitLimit: number;
  readonly microLamportsPerUnit: bigint;
  readonly token?: SolanaTokenTerms;
};

/** Nonce accounts to be created at addresses derived from the payer and a seed each, so that only the payer signs. */
export type SolanaNonceAccounts = {
  readonly from: string;
  readonly authority: string;
  readonly accounts: readonly { readonly seed: string; readonly address: string }[];
  /** The rent of one account of 80 bytes. */
  readonly rentUnits: bigint;
};

/** A message for which one of several signatures is requested, and the maximum that its fee payer pays. */
export type SolanaPartial = {
  readonly messageHex: string;
  readonly feePayer: string;
  readonly lifetime: DecodedSolana['lifetime'];
  readonly maxFeeUnits: bigint;
};

/** Addresses and unsigned transactions of Solana. In built bytes `bytesHex` is the message and `digestHex` its SHA-256. */
export interface SolanaCodec extends CodecBase {
  readonly family: 'solana';
  /** Tells whether a key for the address can exist: an address off the curve is derived by a program and signs nothing. */
  isOnCurve(address: string): boolean;
  /** The account in which an owner keeps tokens of a mint, unless the owner specifies another account. */
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): Promise<string>;
  /** The address of the system program's account that `base` creates with this seed. */
  seedAddress(base: string, seed: string): Promise<string>;
  /** A version 0 message. `maxFeeUnits` includes the maximum rent of a token account that it creates. */
  build(intent: SolanaIntent, terms: SolanaTerms): UnsignedBytes;
  /** The network fee for this many signatures, without a compute unit price. */
  leastFeeUnits(signatures: number): bigint;
  buildNonceAccounts(asked: SolanaNonceAccounts, terms: Omit<SolanaTerms, 'token'>): UnsignedBytes;
  /**
   * Reads a transaction or a bare message, as 0x-hex, hex or base64. `at` is its path in the request. Throws `InvalidRequest`
   * with that path if the text is not an unsigned transaction with this sender as its only signer, or contains an instruction
   * that is never signed.
   */
  termsOf(text: string, from: string, at: string): SolanaRawTerms;
  /**
   * The recipient and amount of a plain transfer, and otherwise a `Call` without an amount. A recipient of tokens is determined
   * as in `SolanaDecoder.effectOf`.
   */
  effectOf(messageHex: string): Effect;
  /** The bytes of a raw transaction; `blockhash` is inserted if its sender left it open. */
  buildRaw(terms: SolanaRawTerms, blockhash: string | null): UnsignedBytes;
  /** Tells whether a text or bytes in 0x-hex are a transaction's message, bare or after signatures. */
  isTransaction(bytesHex: string): boolean;
  /**
   * Reads a transaction for which only a signature is requested, as `termsOf` does. Others may pay and sign too, their
   * signatures are kept, and lookup tables are allowed. Throws `InvalidRequest` with the path `at` if `signer` need not sign or
   * has signed, or if the transaction is never signed.
   */
  partialOf(text: string, signer: string, at: string): SolanaPartial;
  /**
   * The same transaction as bytes to send, with this signature inserted, and its id once the fee payer has signed. Throws
   * unless the signature verifies.
   */
  signPartial(text: string, signatureHex: string, signer: string): { readonly rawHex: string; readonly txHash?: string };
  /** `signatureHex` is 64 bytes as 0x-hex. `rawHex` are the bytes to send, `txHash` is the signature in base58. Throws unless it verifies for `from`. */
  attach(unsigned: UnsignedBytes, signatureHex: string, from: string): SignedTx;
}

/** The effect of one instruction, as far as its bytes show it. */
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
  /** An instruction that gives away authority or accounts; never signed. */
  | { readonly kind: 'Refused'; readonly name: string }
  | { readonly kind: 'Unknown'; readonly program: string };

/** A message as read by code that did not build it. `opaque` names everything that was not understood or that is never signed. */
export type DecodedSolana = {
  readonly version: 'legacy' | 0;
  readonly signers: readonly string[];
  readonly feePayer: string;
  /** With a durable nonce as first instruction, its value replaces the blockhash. */
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };
  readonly instructions: readonly SolanaInstruction[];
  /** The fee for signatures and compute units, and the maximum rent of every token account that may be created. */
  readonly maxFeeUnits: bigint;
  /** The rent included in the maximum fee. The creator of an account pays it, and not the fee payer. */
  readonly maxRentUnits: bigint;
  readonly opaque: readonly string[];
};

/**
 * Accounts for durable nonces that a message creates with these seeds; its only signer pays for them and is their authority. Each
 * locks up at most this amount.
 */
export type CreatedNonceAccounts = { readonly owner: string; readonly seeds: readonly string[]; readonly dearestUnits: bigint };

/** A message that is a plain transfer. `destination` is the recipient's token account; for SOL it is the recipient. */
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

/** The second opinion on bytes: shares neither code nor libraries with `SolanaCodec`. */
export interface SolanaDecoder {
  readonly family: 'solana';
  /** Never throws on bytes it cannot read: it returns them with a non-empty `opaque`. */
  decode(messageHex: string): DecodedSolana;
  /** The same by the stricter rules of transfers: everything but one transfer and its accompanying instructions is opaque. */
  decodeTransfer(messageHex: string): DecodedSolanaTransfer;
  /** The names of instructions in a message that are never signed; empty for a message that may be signed, whatever else it does. */
  refused(messageHex: string): readonly string[];
  /** The form in which a raw transaction is approved, as in `SolanaRawTerms`; undefined for one that must never be signed. */
  callOf(messageHex: string): SolanaRawTerms['call'] | undefined;
  /**
   * The effect of a message: the recipient and amount of one plain transfer, and a `Call` for anything else that only its fee
   * payer signs. The recipient of tokens is the owner if the message creates the token account, and otherwise the token account
   * itself, because the bytes show no more.
   */
  effectOf(messageHex: string): Effect;
  /** Tells whether a message only uses up its durable nonce. The message may set its own price. */
  advancesAlone(messageHex: string): boolean;
  /** The accounts of a message that creates nonce accounts for its sender and does nothing else; undefined for any other. */
  nonceAccountsIn(messageHex: string): CreatedNonceAccounts | undefined;
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): string;
  isTransaction(bytesHex: string): boolean;
  /** Tells whether 64 bytes in hex are a signature over the message by the key of this address, by the strict rules of validators. */
  verifies(messageHex: string, signatureHex: string, address: string): boolean;
  addressOf(publicKeyHex: string): string;
}

/** An account as a node returns it: its owner and its content. */
export type SolanaAccount = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/**
 * The reason why a plain transfer of a token is impossible: the mint forbids transfers, calls its own program, or is paused.
 */
export type MintBlocker = 'NonTransferable' | 'TransferHook' | 'Paused';

/** Ten-thousandths of the amount, rounded up, capped at the maximum units. */
export type MintFee = { readonly basisPoints: number; readonly maximumUnits: bigint };

/** The facts about a mint that a transfer needs. */
export type SolanaMint = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly blockers: readonly MintBlocker[];
  /** The fee withheld from each transfer (Token-2022, transfer fee); absent if there is none. */
  readonly transferFee?: MintFee;
};

export type SolanaTokenAccount = {
  readonly program: SplProgram;
  readonly mint: string;
  readonly owner: string;
  readonly units: bigint;
  readonly isFrozen: boolean;
  /** The owner accepts only transfers with a memo. */
  readonly needsMemo: boolean;
};

export type SolanaNonce = { readonly authority: string; readonly value: string };

/** The slot at which the node replied. */
export type SolanaBlockhash = { readonly blockhash: string; readonly lastValidBlockHeight: bigint; readonly slot: number };

export interface SolanaReader extends ReaderBase {
  readonly family: 'solana';
  /** In the order of the addresses; undefined for each that has no account. */
  accounts(addresses: readonly string[]): Promise<(SolanaAccount | undefined)[]>;
  /** Undefined for an account that is not a mint of either token program. Its fee is that of the current epoch. */
  mint(address: string): Promise<SolanaMint | undefined>;
  /** Undefined for each that is not a token account. */
  tokenAccounts(addresses: readonly string[]): Promise<(SolanaTokenAccount | undefined)[]>;
  /** Undefined for each that is not an initialised nonce account. */
  nonces(addresses: readonly string[]): Promise<(SolanaNonce | undefined)[]>;
  /** Lamports that an account of this size must hold to persist. */
  rentUnits(bytes: number): Promise<bigint>;
  latestBlockhash(): Promise<SolanaBlockhash>;
  /** Tells whether a transaction with this blockhash can still get into a block. */
  isRecent(blockhash: string): Promise<boolean>;
  /** Micro-lamports per compute unit that recent transactions with these writable accounts paid. */
  unitPrice(priority: FeePriority, writable: readonly string[]): Promise<bigint>;
  /** Tells whether a finalized block holds the transaction with this first signature, as far back as the nodes' history reaches. */
  isIncluded(signature: string): Promise<boolean>;
  /**
   * Signatures by the key of this address in the finalized transactions of the nodes' history. Skips transactions whose first
   * signature is already known, which need not be read.
   */
  signedBy(address: string, isKnown: (signature: string) => boolean): Promise<readonly string[]>;
  /** Compute units of the message, regardless of its signatures. Throws `TransferWouldFail` when the network reports that it would fail. */
  simulate(messageHex: string): Promise<number>;
}

export type SolanaTypes = {
  readonly network: SolanaNetwork;
  readonly codec: SolanaCodec;
  readonly decoder: SolanaDecoder;
  readonly reader: SolanaReader;
};
