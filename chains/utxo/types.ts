import type { NetworkName } from '../../domain/networks';
import type { FeePriority } from '../../domain/transfers';
import type { CodecBase, NetworkBase, ReaderBase, SignedTx, UnsignedBytes } from '../types';

/** The forms of BIP44 (base58), BIP49, BIP84 and BIP86, the oldest first. */
export type OutputForm = 'P2PKH' | 'P2SH-P2WPKH' | 'P2WPKH' | 'P2TR';

/**
 * `genesisHash` is the block hash that a node names for height 0. Rates are thousandths of the smallest unit per virtual byte.
 */
export type UtxoNetwork = NetworkBase & {
  readonly family: 'utxo';
  readonly curve: 'secp256k1';
  /** If `forms` contains P2TR, a Schnorr key has an address as well. */
  readonly scheme: 'ECDSA';
  readonly genesisHash: string;
  /**
   * For a chain that split off from another chain, CAIP-2 uses the first block after the split: the block at height 0
   * identifies the older chain.
   */
  readonly forkHash?: string;
  /** The first block after the last split. No other chain with this `genesisHash` has this block. */
  readonly ownBlock?: { readonly height: number; readonly hash: string };
  /** A new wallet gets an address of the first form that its key can unlock. */
  readonly forms: readonly OutputForm[];
  /** The first byte of a base58 address. */
  readonly versions: { readonly publicKeyHash: number; readonly scriptHash: number };
  /** The text before the separator of a BIP173 address. A network without witnesses has no `hrp`. */
  readonly hrp?: string;
  /** If the prefix is set, only CashAddr addresses are read. */
  readonly cashPrefix?: string;
  /** Nodes do not relay a smaller output. */
  readonly dustUnits: Readonly<Record<OutputForm, bigint>>;
  /** Nodes do not relay a transaction with a lower rate. */
  readonly feeRateFloor: bigint;
  /** The confirmations after which the reward of a block can be spent. */
  readonly coinbaseMaturity: number;
  /** True if our unconfirmed transactions signal that transactions with higher fees may replace them (BIP125). */
  readonly replaceable: boolean;
  /** True if nodes do not replace unconfirmed transactions by default. The service then does not rely on a replacement. */
  readonly keepsFirst?: true;
  /** True if miners judge the fee of each transaction separately: a child does not speed up its parent. */
  readonly weighsAlone?: true;
  /**
   * `Segwit` means BIP143 and BIP341 in addition to the original digest. `Legacy` means only the original digest. `ForkId`
   * means BIP143 with the flag of Bitcoin Cash for every input.
   */
  readonly digest: 'Segwit' | 'Legacy' | 'ForkId';
  /**
   * The hash function whose result for the header must meet the target. The block's id is the double SHA-256 of the header on
   * all networks.
   */
  readonly proofOfWork: 'Sha256' | 'Scrypt';
  /** True if the proof of work for a block can belong to a block of another chain (merge mining). */
  readonly mergeMined?: true;
  /** True if an extension block, whose amounts are hidden, can follow the transactions of a block (LIP-3). */
  readonly hasExtensionBlocks?: true;
};

/** Ids and scripts are hex without 0x, as nodes write them. */
export type Coin = {
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
  readonly scriptHex: string;
  readonly confirmations: number;
  readonly isCoinbase: boolean;
  /** True for change of a transaction that this service signed. The service may spend this coin before confirmation. */
  readonly isOwnChange: boolean;
  /** Spending the coin as money would destroy the token. */
  readonly hasToken?: boolean;
};

/**
 * A rate below the network's floor is raised to the floor. A replacement must pay `replacedFeeUnits`, the fee of the replaced
 * transaction, and the floor rate for its own size (BIP125). A child pays `lackingFeeUnits` for its ancestors, in addition to the
 * fee for its own size.
 */
export type UtxoFees = {
  readonly milliUnitsPerVbyte: bigint;
  readonly replacedFeeUnits?: bigint;
  readonly lackingFeeUnits?: bigint;
};

/** Addresses are canonical. An amount of 0 to the sender returns all chosen coins, to cancel another transaction. */
export type UtxoIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly publicKeyHex: string;
};

/** `changeUnits` is 0 without a change output. */
export type Selection = { readonly coins: readonly Coin[]; readonly feeUnits: bigint; readonly changeUnits: bigint };
/** `TooManyCoins` means that the coins would suffice, but one transaction cannot spend enough of them. */
export type SelectionFault = 'InsufficientFunds' | 'TooManyCoins' | 'Dust';

/**
 * The values are 32 bytes each in 0x-hex. `r` and `s` are an ECDSA signature with `s` in the lower half of its range, or a
 * Schnorr signature (BIP340).
 */
export type UtxoSignature = { readonly r: string; readonly s: string };

/** Unsigned bytes are a PSBT (BIP174, version 0) in 0x-hex. A signed transaction and its id are hex without 0x. */
export interface UtxoCodec extends CodecBase {
  readonly family: 'utxo';
  /**
   * A compressed key (33 bytes) has every form except P2TR, and an x-only key (32 bytes) has only P2TR (BIP86). Throws
   * `AssetNotSupported` for any other form.
   */
  addressOf(publicKeyHex: string, form?: OutputForm): string;
  /** The address must be canonical. */
  scriptOf(address: string): string;
  /** The minimum amount that nodes relay to a canonical address. */
  dustUnitsOf(address: string): bigint;
  /** Chooses coins that may be spent now. The transaction must spend the coins of `anchor` in any case (S7). */
  select(
    intent: UtxoIntent,
    coins: readonly Coin[],
    fees: UtxoFees,
    options?: { readonly anchor?: readonly Coin[] },
  ): Selection | SelectionFault;
  /**
   * Builds a PSBT. `previous` contains the whole transactions that created the coins, by id. Only for Taproot coins, the previous
   * transaction is not needed (S6).
   */
  build(intent: UtxoIntent, selection: Selection, previous: ReadonlyMap<string, string>): UnsignedBytes;
  /** The size as nodes compute it (BIP141). */
  vbytesOf(rawHex: string): bigint;
  /** The outputs that pay a canonical address, as coins that are not in a block yet. */
  coinsOf(rawHex: string, address: string): readonly Coin[];
  /**
   * Adds one signature per input, in order. Throws `EnvelopeMismatch` unless each signature belongs to its input and this key.
   */
  attach(unsigned: Pick<UnsignedBytes, 'bytesHex'>, signatures: readonly UtxoSignature[], publicKeyHex: string): SignedTx;
  /** The text is hex. Throws `InvalidRequest` with this path if the key must not sign the PSBT. */
  readPsbt(text: string, publicKeyHex: string, path: string): PsbtReading;
  /**
   * Adds one signature per input of the key, in order. `signed` is set if no signature is missing. Throws in the same cases as
   * `attach`.
   */
  signPsbt(
    psbtHex: string,
    signatures: readonly UtxoSignature[],
    publicKeyHex: string,
  ): { readonly psbtHex: string; readonly signed?: SignedTx };
  /** True if keys of the network prove messages by BIP322, which needs addresses with a witness. */
  readonly signsMessages: boolean;
  /**
   * The signature of BIP322 with its prefix, in base64, under `addressOf(publicKeyHex)`. Throws in the same cases as `attach`.
   */
  proveMessage(messageHex: string, format: MessageFormat, signature: UtxoSignature, publicKeyHex: string): string;
}

export type PsbtCoin = Pick<Coin, 'txid' | 'vout' | 'amountUnits'>;

/** A key owns the coins at every address that only this key unlocks. An address owns its own coins. */
export type PsbtOwner = { readonly publicKeyHex: string } | { readonly address: string };

/**
 * `address` is the address of the owner's first coin. If no other address receives anything, `recipients` contains the owner's
 * address. `recipients` is empty if an output has no address. If others have inputs too, `amountUnits` is everything that does
 * not return to the owner's address, fees included.
 */
export type PsbtEffect = {
  readonly address: string;
  readonly coins: readonly PsbtCoin[];
  readonly recipients: readonly string[];
  readonly amountUnits: bigint;
  /** True if an input of the owner already has a signature. */
  readonly isSigned: boolean;
};

export type PsbtReading = PsbtEffect & {
  /** The PSBT in lower case with 0x. */
  readonly psbtHex: string;
  /** All inputs are listed, because the node must know every coin. */
  readonly inputs: readonly (PsbtCoin & Pick<Coin, 'scriptHex'>)[];
  readonly feeUnits: bigint;
  /** The size without any signature. */
  readonly vbytesMin: bigint;
  /** The transaction is not mined before this height. Values from 500,000,000 on are times in seconds, and 0 sets no limit. */
  readonly lockTime: number;
  /** True if an input must wait for blocks or time after its coin was confirmed (BIP68). */
  readonly hasRelativeLock: boolean;
  /** True if every input of other parties has a valid signature. */
  readonly othersSigned: boolean;
};

/** `Simple` is only the witness of the transaction of BIP322, and `Full` is the whole transaction. */
export type MessageFormat = 'Simple' | 'Full';

/**
 * `isProved` means that the previous transaction shows the amount, or that a Taproot digest covers the amount. With a Taproot
 * digest a false amount makes the signature invalid.
 */
export type DecodedInput = {
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
  readonly address: string | undefined;
  readonly scriptHex: string;
  readonly isProved: boolean;
};
/** `address` is undefined for a script that has no address, such as the script of a data output. */
export type DecodedOutput = { readonly address: string | undefined; readonly scriptHex: string; readonly amountUnits: bigint };

/**
 * A PSBT as read by code that did not build it. `opaque` lists everything that this code did not understand. The signer never
 * signs bytes with a non-empty `opaque` as a transfer.
 */
export type DecodedPsbt = {
  readonly inputs: readonly DecodedInput[];
  readonly outputs: readonly DecodedOutput[];
  readonly feeUnits: bigint;
  readonly opaque: readonly string[];
};

/** `isTaproot` requests a Schnorr signature under the tweaked key (BIP341, no script tree). */
export type InputDigest = { readonly index: number; readonly digest: Uint8Array; readonly isTaproot: boolean };

/**
 * The decoder shares no code with `UtxoCodec`: one fault or one bad library must not build wrong bytes and also approve
 * these bytes.
 */
export interface UtxoDecoder {
  readonly family: 'utxo';
  addressOf(publicKeyHex: string): string;
  /** This method never throws: for unreadable bytes, the result has a non-empty `opaque`. */
  decode(psbtHex: string): DecodedPsbt;
  /** The result contains one digest for each input that is locked only to this key, in order. */
  digestsOf(psbtHex: string, publicKeyHex: string): readonly InputDigest[];
  /** Throws for bytes that `decode` does not understand, and if no input belongs to the owner. */
  effectOf(psbtHex: string, owner: PsbtOwner): PsbtEffect;
  /** The digest of BIP322. Throws if the address of the key has no witness. */
  messageDigestOf(messageHex: string, publicKeyHex: string): InputDigest;
}

export type UnspentCoin = Pick<Coin, 'amountUnits' | 'scriptHex' | 'confirmations' | 'isCoinbase' | 'hasToken'>;

/** The node's estimate for a confirmation within `blockHorizon` blocks. */
export type FeeRate = { readonly milliUnitsPerVbyte: bigint; readonly blockHorizon: number };

/**
 * `Beaten` means that another transaction in a block has spent the same coins. `Waiting` means that the transaction is in the
 * node's memory pool. A replacement must pay for the waiting transaction and all its descendants (BIP125). `dependents` is the
 * number of these transactions, and `feeUnits` is the sum of their fees. Miners judge a transaction together with its unconfirmed
 * ancestors. `ancestry` contains the size and the fees of this group.
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
  /**
   * All unspent outputs of a canonical address, including outputs that are not in a block yet, but not immature block rewards.
   */
  coins(address: string): Promise<readonly Coin[]>;
  /** The transactions in hex, by id. Throws `NetworkUnavailable` if the node lacks a transaction. */
  previousTransactions(txids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  feeRates(): Promise<Readonly<Record<FeePriority, FeeRate>>>;
  standing(txid: string): Promise<SpendStatus>;
  /**
   * Coins of any owner in the requested order. Undefined for an unknown coin, and for a coin that a transaction has spent, even
   * if the transaction is pending.
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
