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

/**
 * `memo` goes unchanged into the transaction, before the transfer. `to` is the owner of the token account, and never the token
 * account itself.
 */
export type SolanaIntent = TransferIntent & {
  readonly memo?: string | undefined;
  /**
   * The account that pays the network fee and signs first; the sender unless set. The sender always pays the rent of a token
   * account.
   */
  readonly feePayer?: string | undefined;
};

/**
 * The lifetime of bytes. Bytes with a blockhash stay valid for about 150 blocks after the block of this hash. Bytes with a
 * durable nonce stay valid until the nonce is advanced.
 */
export type SolanaLifetime =
  | { readonly kind: 'blockhash'; readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };

/**
 * The members of a transfer of tokens that depend on the state of the network. `source` and `destination` are token accounts.
 * With `createsDestination` the transfer also creates the account `destination`.
 */
export type SolanaTokenTerms = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly source: string;
  readonly destination: string;
  readonly createsDestination: boolean;
};

/** The members of a transaction that depend on the state of the network. Prices are in micro-lamports per compute unit. */
export type SolanaTerms = {
  readonly lifetime: SolanaLifetime;
  readonly computeUnitLimit: number;
  readonly microLamportsPerUnit: bigint;
  readonly token?: SolanaTokenTerms;
};

/** Nonce accounts to create. Each address is derived from the payer and a seed, so that only the payer must sign. */
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

/**
 * Parses addresses and builds transactions of Solana. In `UnsignedBytes`, `bytesHex` is the message, and `digestHex` is the
 * SHA-256 of the message.
 */
export interface SolanaCodec extends CodecBase {
  readonly family: 'solana';
  /** Tells whether a key for the address can exist: an address off the curve is derived by a program and signs nothing. */
  isOnCurve(address: string): boolean;
  /**
   * The associated token account: the account in which an owner keeps tokens of a mint unless the owner names another account.
   */
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): Promise<string>;
  /** The address of the system program's account that `base` creates with this seed. */
  seedAddress(base: string, seed: string): Promise<string>;
  /** Builds a message of version 0. `maxFeeUnits` includes the maximum rent of a token account that the message creates. */
  build(intent: SolanaIntent, terms: SolanaTerms): UnsignedBytes;
  /** The network fee for this many signatures, without a compute unit price. */
  leastFeeUnits(signatures: number): bigint;
  buildNonceAccounts(asked: SolanaNonceAccounts, terms: Omit<SolanaTerms, 'token'>): UnsignedBytes;
  /**
   * Reads a transaction or a bare message, as 0x-hex, hex or base64. `at` is the path of the text in the request. The text must
   * be an unsigned transaction whose only signer is this sender, and the transaction must not contain an instruction that is
   * never signed. Otherwise this method throws `InvalidRequest` with this path.
   */
  termsOf(text: string, from: string, at: string): SolanaRawTerms;
  /**
   * The recipient and amount of a plain transfer. For any other message, the effect is a `Call` without an amount. The
   * recipient of tokens is the same as in `SolanaDecoder.effectOf`.
   */
  effectOf(messageHex: string): Effect;
  /** Builds a raw transaction. `blockhash` is inserted if the sender left the blockhash open. */
  buildRaw(terms: SolanaRawTerms, blockhash: string | null): UnsignedBytes;
  /** Tells whether bytes are a transaction or a bare message. */
  isTransaction(bytesHex: string): boolean;
  /**
   * Reads a transaction for which only a signature is requested. Unlike `termsOf`, this method allows other signers, another
   * fee payer and lookup tables. Throws `InvalidRequest` with the path `at` if `signer` need not sign or has signed already, or
   * if the transaction contains something that is never signed.
   */
  partialOf(text: string, signer: string, at: string): SolanaPartial;
  /**
   * Inserts a signature into the transaction. Returns the bytes to send, and the transaction's id if the fee payer has signed.
   * The signatures of other signers are kept. Throws unless the new signature verifies.
   */
  signPartial(text: string, signatureHex: string, signer: string): { readonly rawHex: string; readonly txHash?: string };
  /**
   * Adds the signature to the message. `signatureHex` is 64 bytes as 0x-hex, and the resulting `txHash` is the signature in
   * base58. Throws unless the signature verifies for `from`.
   */
  attach(unsigned: UnsignedBytes, signatureHex: string, from: string): SignedTx;
}

/** The effect of one instruction, as far as its bytes show the effect. */
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
  /** An instruction that is never signed, for example because the instruction gives away authority or accounts. */
  | { readonly kind: 'Refused'; readonly name: string }
  | { readonly kind: 'Unknown'; readonly program: string };

/**
 * A message as read by code that did not build the message. `opaque` names everything that this code did not understand, and
 * everything that is never signed.
 */
export type DecodedSolana = {
  readonly version: 'legacy' | 0;
  readonly signers: readonly string[];
  readonly feePayer: string;
  /** If the first instruction advances a durable nonce, the message has the value of the nonce in place of a blockhash. */
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };
  readonly instructions: readonly SolanaInstruction[];
  /** The fee for signatures and compute units, and the maximum rent of every token account that may be created. */
  readonly maxFeeUnits: bigint;
  /** The part of `maxFeeUnits` that is rent. The creator of an account pays the rent; the fee payer does not pay rent. */
  readonly maxRentUnits: bigint;
  readonly opaque: readonly string[];
};

/**
 * The nonce accounts that a message creates with these seeds. `owner` is the message's only signer. The owner pays for the
 * accounts and is the authority of each account. `dearestUnits` is the largest amount that goes into one of the accounts.
 */
export type CreatedNonceAccounts = { readonly owner: string; readonly seeds: readonly string[]; readonly dearestUnits: bigint };

/**
 * A message that is a plain transfer. `destination` is the recipient's token account. In a transfer of SOL, `destination` is
 * the recipient.
 */
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
 * Reads the bytes that `SolanaCodec` built. The decoder shares neither code nor client libraries with the codec, so that one
 * fault cannot both build wrong bytes and approve these bytes.
 */
export interface SolanaDecoder {
  readonly family: 'solana';
  /** Reads a message. Never throws: for unreadable bytes, the result has a non-empty `opaque`. */
  decode(messageHex: string): DecodedSolana;
  /**
   * Like `decode`, but for a message that must be one transfer. `opaque` also names everything except one transfer and the
   * instructions that this transfer may need.
   */
  decodeTransfer(messageHex: string): DecodedSolanaTransfer;
  /**
   * A message may contain instructions that are never signed. This method returns the names of these instructions. If the list
   * is empty, the message may be signed.
   */
  refused(messageHex: string): readonly string[];
  /**
   * The form in which a raw transaction is approved, as in `SolanaRawTerms`; undefined for a transaction that is never signed.
   */
  callOf(messageHex: string): SolanaRawTerms['call'] | undefined;
  /**
   * The effect of a message: the recipient and amount of one plain transfer, and a `Call` for anything else. If the message
   * creates the token account, the recipient of tokens is the owner of this account. Otherwise the recipient is the token
   * account itself, because the bytes do not show the owner of this account.
   */
  effectOf(messageHex: string): Effect;
  /**
   * Tells whether a message only uses up its durable nonce. Instructions that set the price and limit of compute units are
   * allowed.
   */
  advancesAlone(messageHex: string): boolean;
  /** The nonce accounts that a message creates for its sender; undefined if the message does anything else. */
  nonceAccountsIn(messageHex: string): CreatedNonceAccounts | undefined;
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): string;
  isTransaction(bytesHex: string): boolean;
  /**
   * Tells whether 64 bytes in hex are a signature over the message by the key of this address. The rules are the strict rules
   * of validators.
   */
  verifies(messageHex: string, signatureHex: string, address: string): boolean;
  addressOf(publicKeyHex: string): string;
}

/** An account as a node returns it. `owner` is the program that owns the account, and `data` is the content of the account. */
export type SolanaAccount = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/**
 * The reason why a plain transfer of a token is impossible: the mint forbids transfers, names a program that every transfer
 * calls, or is paused.
 */
export type MintBlocker = 'NonTransferable' | 'TransferHook' | 'Paused';

/** The fee is `basisPoints` ten-thousandths of the amount, rounded up, and at most `maximumUnits`. */
export type MintFee = { readonly basisPoints: number; readonly maximumUnits: bigint };

/** The facts about a mint that a transfer needs. */
export type SolanaMint = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly blockers: readonly MintBlocker[];
  /** The fee withheld from each transfer (Token-2022, transfer fee); absent if the mint withholds no fee. */
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
  /** The accounts in the order of the addresses; undefined for each address without an account. */
  accounts(addresses: readonly string[]): Promise<(SolanaAccount | undefined)[]>;
  /** A mint with its fee in the current epoch; undefined for an account that is not a mint of either token program. */
  mint(address: string): Promise<SolanaMint | undefined>;
  /** The token accounts in the order of the addresses; undefined for each address that has no token account. */
  tokenAccounts(addresses: readonly string[]): Promise<(SolanaTokenAccount | undefined)[]>;
  /** The nonces in the order of the addresses; undefined for each address that has no initialised nonce account. */
  nonces(addresses: readonly string[]): Promise<(SolanaNonce | undefined)[]>;
  /** The lamports that an account of this size must hold so that the network keeps the account. */
  rentUnits(bytes: number): Promise<bigint>;
  latestBlockhash(): Promise<SolanaBlockhash>;
  /** Tells whether a transaction with this blockhash can still get into a block. */
  isRecent(blockhash: string): Promise<boolean>;
  /** The price in micro-lamports per compute unit for this priority, from recent transactions that wrote to these accounts. */
  unitPrice(priority: FeePriority, writable: readonly string[]): Promise<bigint>;
  /**
   * Tells whether a finalized block holds the transaction with this first signature, as far back as the nodes' history reaches.
   */
  isIncluded(signature: string): Promise<boolean>;
  /**
   * The signatures by the key of this address in the finalized transactions of the nodes' history. Transactions whose first
   * signature is already known are not read.
   */
  signedBy(address: string, isKnown: (signature: string) => boolean): Promise<readonly string[]>;
  /**
   * Simulates the message without signatures and returns the compute units that the message uses. Throws `TransferWouldFail`
   * when the network reports that the message would fail.
   */
  simulate(messageHex: string): Promise<number>;
}

export type SolanaTypes = {
  readonly network: SolanaNetwork;
  readonly codec: SolanaCodec;
  readonly decoder: SolanaDecoder;
  readonly reader: SolanaReader;
};
