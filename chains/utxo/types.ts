import type { NetworkName } from '../../domain/networks';
import type { FeePriority } from '../../domain/transfers';
import type { CodecBase, NetworkBase, ReaderBase, SignedTx, UnsignedBytes } from '../types';

/**
 * The form of an output decides how the output is unlocked. The list has the forms of BIP44 (base58), BIP49, BIP84 and BIP86,
 * the oldest first.
 */
export type OutputForm = 'P2PKH' | 'P2SH-P2WPKH' | 'P2WPKH' | 'P2TR';

/**
 * `genesisHash` is the block hash that a node names for height 0. Rates are thousandths of the smallest unit per virtual byte.
 */
export type UtxoNetwork = NetworkBase & {
  readonly family: 'utxo';
  readonly curve: 'secp256k1';
  /** The scheme of a new wallet's key. If `forms` has P2TR, a Schnorr key has an address as well. */
  readonly scheme: 'ECDSA';
  readonly genesisHash: string;
  /**
   * The first block of a chain that split off from an older chain. CAIP-2 names the chain by this block. The block at height 0
   * belongs to both chains, and CAIP-2 names the older chain by that block.
   */
  readonly forkHash?: string;
  /** The first block after the last split. No other chain with this `genesisHash` has this block. */
  readonly ownBlock?: { readonly height: number; readonly hash: string };
  /** The forms of outputs on the network. A new wallet gets an address of the first form that its key can unlock. */
  readonly forms: readonly OutputForm[];
  /** The first byte of a base58 address. */
  readonly versions: { readonly publicKeyHash: number; readonly scriptHash: number };
  /** The text before the separator of a BIP173 address; absent on a network without witnesses. */
  readonly hrp?: string;
  /** The prefix of CashAddr addresses. If this prefix is set, only CashAddr addresses are read. */
  readonly cashPrefix?: string;
  /** The minimum amount of an output. Nodes relay no smaller output. */
  readonly dustUnits: Readonly<Record<OutputForm, bigint>>;
  /** The minimum fee rate. Nodes relay no transaction with a lower rate. */
  readonly feeRateFloor: bigint;
  /** Confirmations after which the reward of a block can be spent. */
  readonly coinbaseMaturity: number;
  /**
   * Tells whether our unconfirmed transactions signal that a transaction with a higher fee may replace our transactions
   * (BIP125).
   */
  readonly replaceable: boolean;
  /**
   * True if nodes, by default, replace no unconfirmed transaction, not even a transaction that signals replacement. On such a
   * network the service does not rely on a replacement.
   */
  readonly keepsFirst?: true;
  /** True if miners judge the fee of each transaction separately, so that a child does not speed up its parent. */
  readonly weighsAlone?: true;
  /**
   * The digests that are signed. `Segwit` means BIP143 and BIP341 in addition to the original digest. `Legacy` means only the
   * original digest. `ForkId` means BIP143 with the flag of Bitcoin Cash for every input.
   */
  readonly digest: 'Segwit' | 'Legacy' | 'ForkId';
};

/** An unspent output of one address. Ids and scripts are hex without 0x, as nodes write them. */
export type Coin = {
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
  readonly scriptHex: string;
  readonly confirmations: number;
  readonly isCoinbase: boolean;
  /**
   * True for change of a transaction that this service signed. Such a coin can be spent before the transaction is confirmed.
   */
  readonly isOwnChange: boolean;
  /** True if the node reports a token on the coin. To spend such a coin as money would destroy the token. */
  readonly hasToken?: boolean;
};

/**
 * A `milliUnitsPerVbyte` below the network's floor is treated as the floor. `replacedFeeUnits` is the fee of the replaced
 * transaction. By BIP125 a replacement must pay that fee, and must also pay the floor rate for its own size. `lackingFeeUnits`
 * is the fee that the ancestors of a child transaction lack. The child pays this fee in addition to the fee for its own size.
 */
export type UtxoFees = {
  readonly milliUnitsPerVbyte: bigint;
  readonly replacedFeeUnits?: bigint;
  readonly lackingFeeUnits?: bigint;
};

/**
 * Addresses are canonical. An amount of 0 to the sender itself returns all chosen coins to the sender. Such a transaction
 * cancels another transaction.
 */
export type UtxoIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly publicKeyHex: string;
};

/** `changeUnits` is 0 if there is no change output. */
export type Selection = { readonly coins: readonly Coin[]; readonly feeUnits: bigint; readonly changeUnits: bigint };
/** `TooManyCoins` means that the coins would suffice, but one transaction cannot spend all the coins that are needed. */
export type SelectionFault = 'InsufficientFunds' | 'TooManyCoins' | 'Dust';

/**
 * `r` and `s` are 32 bytes each in 0x-hex, as the signer returns them. Together `r` and `s` are an ECDSA signature with `s` in
 * the lower half of its range, or a Schnorr signature (BIP340).
 */
export type UtxoSignature = { readonly r: string; readonly s: string };

/**
 * Parses addresses and builds transactions of Bitcoin and its descendants. Unsigned bytes are a PSBT (BIP174, version 0) in
 * 0x-hex. A signed transaction and its id are hex without 0x, as nodes of this family use them.
 */
export interface UtxoCodec extends CodecBase {
  readonly family: 'utxo';
  /**
   * The address of a key. A compressed key (33 bytes) has every form except P2TR, and an x-only key (32 bytes) has only P2TR
   * (BIP86). Throws `AssetNotSupported` for any other form.
   */
  addressOf(publicKeyHex: string, form?: OutputForm): string;
  /** The script of a canonical address. */
  scriptOf(address: string): string;
  /** The minimum amount that nodes relay to a canonical address. */
  dustUnitsOf(address: string): bigint;
  /** Chooses coins that may be spent now. `anchor` has coins that the transaction must spend in any case (S7). */
  select(
    intent: UtxoIntent,
    coins: readonly Coin[],
    fees: UtxoFees,
    options?: { readonly anchor?: readonly Coin[] },
  ): Selection | SelectionFault;
  /**
   * Builds a PSBT. `previous` has the whole transactions that created the coins, by their ids. Only Taproot coins need no such
   * transaction (S6).
   */
  build(intent: UtxoIntent, selection: Selection, previous: ReadonlyMap<string, string>): UnsignedBytes;
  /** The size of a signed transaction as nodes count it (BIP141). */
  vbytesOf(rawHex: string): bigint;
  /** The outputs of a signed transaction that pay a canonical address, as coins that are not in a block yet. */
  coinsOf(rawHex: string, address: string): readonly Coin[];
  /**
   * Adds one signature per input, in order. Throws `EnvelopeMismatch` unless each signature belongs to its input and this key.
   */
  attach(unsigned: Pick<UnsignedBytes, 'bytesHex'>, signatures: readonly UtxoSignature[], publicKeyHex: string): SignedTx;
  /** Reads a PSBT that was made elsewhere, in hex. Throws `InvalidRequest` with this path if the key must not sign the PSBT. */
  readPsbt(text: string, publicKeyHex: string, path: string): PsbtReading;
  /**
   * Adds one signature per input of the key, in order. `signed` is set if all other signatures are present as well. Throws as
   * `attach` does.
   */
  signPsbt(
    psbtHex: string,
    signatures: readonly UtxoSignature[],
    publicKeyHex: string,
  ): { readonly psbtHex: string; readonly signed?: SignedTx };
  /** Tells whether keys of the network prove messages by BIP322. Such a proof needs addresses with a witness. */
  readonly signsMessages: boolean;
  /** The signature of BIP322 with its prefix, in base64, under `addressOf(publicKeyHex)`. Throws as `attach` does. */
  proveMessage(messageHex: string, format: MessageFormat, signature: UtxoSignature, publicKeyHex: string): string;
}

/** A coin as an input of a PSBT names it. */
export type PsbtCoin = Pick<Coin, 'txid' | 'vout' | 'amountUnits'>;

/** The owner of coins. A key owns the coins at every address that only this key unlocks. An address owns its own coins. */
export type PsbtOwner = { readonly publicKeyHex: string } | { readonly address: string };

/**
 * The effect of a PSBT on the coins of one owner. `address` is the address of the owner's first coin. `recipients` are the
 * addresses that receive something, or the owner's address if no other address receives anything. The list is empty if an
 * output has no address, because the recipient of that output is unknown. `amountUnits` is the amount that the recipients
 * receive. If others have inputs too, `amountUnits` is everything that does not return to the owner's address, including the
 * owner's share of the fee.
 */
export type PsbtEffect = {
  readonly address: string;
  readonly coins: readonly PsbtCoin[];
  readonly recipients: readonly string[];
  readonly amountUnits: bigint;
  /** Tells whether one of the owner's own inputs already has a signature. */
  readonly isSigned: boolean;
};

/** The effect of a PSBT as the codec reads it, and the facts that the service needs before the PSBT is signed. */
export type PsbtReading = PsbtEffect & {
  /** Canonical: lower case with 0x. */
  readonly psbtHex: string;
  /** All inputs with the scripts of their coins, because the node must know every one of these coins. */
  readonly inputs: readonly (PsbtCoin & Pick<Coin, 'scriptHex'>)[];
  readonly feeUnits: bigint;
  /** The size of the transaction without any signature. A node never counts fewer bytes than this size. */
  readonly vbytesMin: bigint;
  /**
   * The transaction is not mined before this height or time. Values from 500,000,000 on are times in seconds, and 0 sets no
   * limit.
   */
  readonly lockTime: number;
  /** Tells whether an input must wait for a number of blocks, or for some time, after its coin was confirmed (BIP68). */
  readonly hasRelativeLock: boolean;
  /**
   * Tells whether every input of other parties has a valid signature, so that the transaction can be sent once the key has
   * signed.
   */
  readonly othersSigned: boolean;
};

/** `Simple` is only the witness of the transaction of BIP322, and `Full` is the whole transaction. */
export type MessageFormat = 'Simple' | 'Full';

/**
 * One input as read from the bytes. `isProved` means one of two things: the amount is read from the previous transaction
 * itself, or a Taproot digest covers the amount. In the second case a false amount makes the signature invalid.
 */
export type DecodedInput = {
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
  readonly address: string | undefined;
  readonly scriptHex: string;
  readonly isProved: boolean;
};
/** `address` is undefined for a script that has no address on the network, such as the script of a data output. */
export type DecodedOutput = { readonly address: string | undefined; readonly scriptHex: string; readonly amountUnits: bigint };

/**
 * The effect of a PSBT, as read by code that did not build the PSBT. `opaque` names everything that this code did not
 * understand. Bytes with a non-empty `opaque` are never signed as a transfer.
 */
export type DecodedPsbt = {
  readonly inputs: readonly DecodedInput[];
  readonly outputs: readonly DecodedOutput[];
  readonly feeUnits: bigint;
  readonly opaque: readonly string[];
};

/**
 * The digest that is signed for one input. `isTaproot` requests a Schnorr signature under the tweaked key (BIP341, no script
 * tree).
 */
export type InputDigest = { readonly index: number; readonly digest: Uint8Array; readonly isTaproot: boolean };

/**
 * Reads the bytes that `UtxoCodec` built. The decoder shares no code with the codec, so that one fault or one bad library
 * cannot both build wrong bytes and approve these bytes.
 */
export interface UtxoDecoder {
  readonly family: 'utxo';
  addressOf(publicKeyHex: string): string;
  /** Reads a PSBT. Never throws: for unreadable bytes, the result has a non-empty `opaque`. */
  decode(psbtHex: string): DecodedPsbt;
  /** The digests that a key signs in a PSBT: one for each input that is locked only to this key, in order. */
  digestsOf(psbtHex: string, publicKeyHex: string): readonly InputDigest[];
  /** Throws for bytes that `decode` does not understand, and if no input belongs to the owner. */
  effectOf(psbtHex: string, owner: PsbtOwner): PsbtEffect;
  /** The digest that a key signs to prove a message (BIP322). Throws if the address of the key has no witness. */
  messageDigestOf(messageHex: string, publicKeyHex: string): InputDigest;
}

export type UnspentCoin = Pick<Coin, 'amountUnits' | 'scriptHex' | 'confirmations' | 'isCoinbase' | 'hasToken'>;

/** The node's estimate of the fee rate with which a transaction confirms within `blockHorizon` blocks. */
export type FeeRate = { readonly milliUnitsPerVbyte: bigint; readonly blockHorizon: number };

/**
 * The state of a transaction of ours. `Included`: the transaction is in a block. `Beaten`: another transaction in a block has
 * spent the same coins. `Waiting`: the transaction is in the node's memory pool. `Nowhere`: none of these is true. A
 * replacement evicts a waiting transaction together with its descendants, and must pay for all of these transactions (BIP125).
 * `dependents` is the number of these transactions, and `feeUnits` is the sum of the fees of these transactions. Miners judge a
 * transaction together with its unconfirmed ancestors, because a block must contain the ancestors first. `ancestry` has the
 * size and the fees of the transaction with these ancestors.
 */
export type SpendStatus =
  | { readonly kind: 'Included' | 'Beaten' | 'Nowhere' }
  | {
      readonly kind: 'Waiting';
      readonly dependents: number;
      readonly feeUnits: bigint;
      readonly ancestry: { readonly vbytes: bigint; readonly feeUnits: bigint };
    };

export interface UtxoReader extends ReaderBase {
  readonly family: 'utxo';
  /** All unspent outputs of a canonical address, including outputs that are announced but not in a block yet. */
  coins(address: string): Promise<readonly Coin[]>;
  /** The whole transactions in hex, by their ids. Throws `NetworkUnavailable` if the node lacks one of these transactions. */
  previousTransactions(txids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  feeRates(): Promise<Readonly<Record<FeePriority, FeeRate>>>;
  standing(txid: string): Promise<SpendStatus>;
  /**
   * The current state of coins of any owner in the chain and in pending transactions, in the requested order. Undefined for a
   * coin that is spent or unknown.
   */
  unspent(coins: readonly { readonly txid: string; readonly vout: number }[]): Promise<readonly (UnspentCoin | undefined)[]>;
  /** Every output in a block that ever paid a canonical address, spent or not. */
  received(address: string): Promise<readonly { readonly txid: string; readonly vout: number }[]>;
}

export type UtxoTypes = {
  readonly network: UtxoNetwork;
  readonly codec: UtxoCodec;
  readonly decoder: UtxoDecoder;
  readonly reader: UtxoReader;
};
