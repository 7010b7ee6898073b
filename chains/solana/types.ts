import type { SolanaRawTerms } from '../../domain/transactions';
import type { FeePriority } from '../../domain/transfers';
import type { CodecBase, Effect, NetworkBase, ReaderBase, SignedTx, TransferIntent, UnsignedBytes } from '../types';

/** `genesisHash` is what a node answers to `getGenesisHash`. */
export type SolanaNetwork = NetworkBase & {
  readonly family: 'solana';
  readonly curve: 'ed25519';
  readonly scheme: 'EdDSA';
  readonly genesisHash: string;
};

/** The two programs that keep tokens: Token and Token-2022. */
export type SplProgram = 'Spl' | 'Spl2022';

/** `memo` goes into the transaction as it is, in front of the transfer. `to` is the owner of the token account, never the account itself. */
export type SolanaIntent = TransferIntent & {
  readonly memo?: string | undefined;
  /** Who pays the network and signs first; the sender where it is left out. The rent of a token account is the sender's in either case. */
  readonly feePayer?: string | undefined;
};

/** How long bytes can get into a block: for about 150 blocks after that of their blockhash, or until the durable nonce is advanced. */
export type SolanaLifetime =
  | { readonly kind: 'blockhash'; readonly blockhash: string; readonly lastValidBlockHeight: bigint }
  | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };

/** What the network says of a transfer of tokens. The accounts are token accounts; with `createsDestination` the transfer makes the recipient's. */
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

/** Nonce accounts to be made at addresses derived from the payer and a seed each, so that the payer alone signs. */
export type SolanaNonceAccounts = {
  readonly from: string;
  readonly authority: string;
  readonly accounts: readonly { readonly seed: string; readonly address: string }[];
  /** Of one account of 80 bytes. */
  readonly rentUnits: bigint;
};

/** A message of which one of several signatures is asked for, and what its fee payer pays at most. */
export type SolanaPartial = {
  readonly messageHex: string;
  readonly feePayer: string;
  readonly lifetime: DecodedSolana['lifetime'];
  readonly maxFeeUnits: bigint;
};

/** Addresses and unsigned transactions of Solana. `bytesHex` of what is built is the message, `digestHex` its SHA-256. */
export interface SolanaCodec extends CodecBase {
  readonly family: 'solana';
  /** Whether somebody can have the key of the address: one off the curve is derived by a program and signs nothing. */
  isOnCurve(address: string): boolean;
  /** Where an owner keeps tokens of a mint, unless the owner says otherwise. */
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): Promise<string>;
  /** The address of an account of the system program that `base` makes with this seed. */
  seedAddress(base: string, seed: string): Promise<string>;
  /** A version 0 message. `maxFeeUnits` counts the highest rent of a token account that it makes. */
  build(intent: SolanaIntent, terms: SolanaTerms): UnsignedBytes;
  /** What the network takes for so many signatures, before any compute unit has a price. */
  leastFeeUnits(signatures: number): bigint;
  buildNonceAccounts(asked: SolanaNonceAccounts, terms: Omit<SolanaTerms, 'token'>): UnsignedBytes;
  /**
   * Reads a transaction or a message alone, as 0x-hex, hex or base64. `at` is its path in the request: throws `InvalidRequest` that names
   * it for what is no unsigned transaction of this sender alone, and for one with an instruction that is never signed.
   */
  termsOf(text: string, from: string, at: string): SolanaRawTerms;
  /** Of a plain transfer who gains what; a `Call` without an amount otherwise. The recipient of tokens as in `SolanaDecoder.effectOf`. */
  effectOf(messageHex: string): Effect;
  /** The bytes of a raw transaction; `blockhash` goes where its sender left none. */
  buildRaw(terms: SolanaRawTerms, blockhash: string | null): UnsignedBytes;
  /** Whether a text or bytes as 0x-hex are a message of a transaction, alone or behind signatures. */
  isTransaction(bytesHex: string): boolean;
  /**
   * Reads a transaction of which only a signature is asked for, as `termsOf` does: others may pay and sign too, their signatures stay, and lookup
   * tables may stand in it. Throws `InvalidRequest` that names `at` for one that `signer` need not sign or has signed, and for what is never signed.
   */
  partialOf(text: string, signer: string, at: string): SolanaPartial;
  /** The same transaction as bytes to send, with this signature in its place; the name once its fee payer has signed. Throws unless it verifies. */
  signPartial(text: string, signatureHex: string, signer: string): { readonly rawHex: string; readonly txHash?: string };
  /** `signatureHex` is 64 bytes as 0x-hex. `rawHex` are the bytes to send, `txHash` is the signature in base58. Throws unless it verifies for `from`. */
  attach(unsigned: UnsignedBytes, signatureHex: string, from: string): SignedTx;
}

/** What one instruction does, as far as its bytes tell. */
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
  /** One that gives power or accounts away; never signed. */
  | { readonly kind: 'Refused'; readonly name: string }
  | { readonly kind: 'Unknown'; readonly program: string };

/** What a message is, as read by code that did not build it. `opaque` names what was not understood, and what is never signed. */
export type DecodedSolana = {
  readonly version: 'legacy' | 0;
  readonly signers: readonly string[];
  readonly feePayer: string;
  /** With a durable nonce first in the message, its value stands where the blockhash does. */
  readonly lifetime:
    | { readonly kind: 'blockhash'; readonly blockhash: string }
    | { readonly kind: 'durable-nonce'; readonly account: string; readonly authority: string; readonly value: string };
  readonly instructions: readonly SolanaInstruction[];
  /** Signatures, compute units, and the highest rent of every token account that may be made. */
  readonly maxFeeUnits: bigint;
  /** Of that the rent, which whoever makes an account pays, and not the fee payer for it. */
  readonly maxRentUnits: bigint;
  readonly opaque: readonly string[];
};

/** Accounts for durable nonces that a message makes with these seeds, paid for and obeyed by its only signer; each locks up at most so much. */
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

/** The second opinion on bytes: shares no code with `SolanaCodec` and not its libraries either. */
export interface SolanaDecoder {
  readonly family: 'solana';
  /** Never throws on bytes it cannot read: they come back with a non-empty `opaque`. */
  decode(messageHex: string): DecodedSolana;
  /** The same by the narrow rules of transfers: anything beside one transfer and what belongs to it is opaque. */
  decodeTransfer(messageHex: string): DecodedSolanaTransfer;
  /** What stands in a message that nobody ever gets signed, by name; empty for one that may be, whatever else it does. */
  refused(messageHex: string): readonly string[];
  /** What a raw transaction is approved as, in the form of `SolanaRawTerms`; undefined for one that must never be signed. */
  callOf(messageHex: string): SolanaRawTerms['call'] | undefined;
  /**
   * What a message moves: of one plain transfer who gains what, and of anything else that its fee payer alone signs a `Call`. The recipient of
   * tokens is the owner of an account that is made for it, and otherwise the token account, because the bytes tell no more.
   */
  effectOf(messageHex: string): Effect;
  /** Whether a message does nothing but use up its durable nonce; it may set its own price. */
  advancesAlone(messageHex: string): boolean;
  /** What a message makes that makes nonce accounts for its sender and nothing else; undefined for every other one. */
  nonceAccountsIn(messageHex: string): CreatedNonceAccounts | undefined;
  associatedTokenAddress(owner: string, mint: string, program: SplProgram): string;
  isTransaction(bytesHex: string): boolean;
  /** Whether 64 bytes as hex are a signature over the message by the key of this address, by the strict rules of validators. */
  verifies(messageHex: string, signatureHex: string, address: string): boolean;
  addressOf(publicKeyHex: string): string;
}

/** An account as a node answers it: whose it is and what is in it. */
export type SolanaAccount = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/** Why a plain transfer of a token cannot be made: its mint forbids it, asks a program of its own, or stands still. */
export type MintBlocker = 'NonTransferable' | 'TransferHook' | 'Paused';

/** Ten-thousandths of the amount, rounded up, and no more than so many units. */
export type MintFee = { readonly basisPoints: number; readonly maximumUnits: bigint };

/** What a mint says of its tokens, as far as a transfer must know it. */
export type SolanaMint = {
  readonly program: SplProgram;
  readonly decimals: number;
  readonly blockers: readonly MintBlocker[];
  /** What stays with the token of each transfer (Token-2022, transfer fee); left out where nothing does. */
  readonly transferFee?: MintFee;
};

export type SolanaTokenAccount = {
  readonly program: SplProgram;
  readonly mint: string;
  readonly owner: string;
  readonly units: bigint;
  readonly isFrozen: boolean;
  /** The owner takes only transfers that say what they are for. */
  readonly needsMemo: boolean;
};

export type SolanaNonce = { readonly authority: string; readonly value: string };

/** The slot is the one at which the node answered. */
export type SolanaBlockhash = { readonly blockhash: string; readonly lastValidBlockHeight: bigint; readonly slot: number };

export interface SolanaReader extends ReaderBase {
  readonly family: 'solana';
  /** Each undefined where there is none; in the order of the addresses. */
  accounts(addresses: readonly string[]): Promise<(SolanaAccount | undefined)[]>;
  /** Undefined for what is no mint of either token program. Its fee is that of the present epoch. */
  mint(address: string): Promise<SolanaMint | undefined>;
  /** Each undefined where no account holds tokens. */
  tokenAccounts(addresses: readonly string[]): Promise<(SolanaTokenAccount | undefined)[]>;
  /** Each undefined where no nonce account is ready. */
  nonces(addresses: readonly string[]): Promise<(SolanaNonce | undefined)[]>;
  /** Lamports that an account of so many bytes must have to stay. */
  rentUnits(bytes: number): Promise<bigint>;
  latestBlockhash(): Promise<SolanaBlockhash>;
  /** Whether a transaction with this blockhash can still get into a block. */
  isRecent(blockhash: string): Promise<boolean>;
  /** Micro-lamports per compute unit that transactions with these writable accounts paid lately. */
  unitPrice(priority: FeePriority, writable: readonly string[]): Promise<bigint>;
  /** Whether a finalized block holds the transaction with this signature in front, as far back as the nodes' history reaches. */
  isIncluded(signature: string): Promise<boolean>;
  /**
   * Signatures by the key of this address in the finalized transactions of the nodes' history. Left out are transactions whose first signature is
   * already known, which need not be read.
   */
  signedBy(address: string, isKnown: (signature: string) => boolean): Promise<readonly string[]>;
  /** Compute units that the message takes, whoever signs it. Throws `TransferWouldFail` when the network says that it would fail. */
  simulate(messageHex: string): Promise<number>;
}

export type SolanaTypes = {
  readonly network: SolanaNetwork;
  readonly codec: SolanaCodec;
  readonly decoder: SolanaDecoder;
  readonly reader: SolanaReader;
};
