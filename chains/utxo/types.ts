import type { NetworkName } from '../../domain/networks';
import type { FeePriority } from '../../domain/transfers';
import type { CodecBase, NetworkBase, ReaderBase, SignedTx, UnsignedBytes } from '../types';

/** How an output is locked: BIP44 (base58), BIP49, BIP84 and BIP86 in the order of their age. */
export type OutputForm = 'P2PKH' | 'P2SH-P2WPKH' | 'P2WPKH' | 'P2TR';

/** `genesisHash` is the block hash that a node names for height 0. Rates are thousandths of the smallest unit per virtual byte. */
export type UtxoNetwork = NetworkBase & {
  readonly family: 'utxo';
  readonly curve: 'secp256k1';
  /** Of a new wallet's key. Where `forms` has P2TR, a Schnorr key has an address as well. */
  readonly scheme: 'ECDSA';
  readonly genesisHash: string;
  /** The first block after the chain parted from the one with which it shares `genesisHash`. */
  readonly firstOwnBlock?: { readonly height: number; readonly hash: string };
  /** The first one is what a new wallet gets. */
  readonly forms: readonly OutputForm[];
  /** First byte of a base58 address. */
  readonly versions: { readonly publicKeyHash: number; readonly scriptHash: number };
  /** Before the separator of a BIP173 address; absent where there are no witnesses. */
  readonly hrp?: string;
  /** Of a CashAddr address, which then is the only form read. */
  readonly cashPrefix?: string;
  /** Outputs below are not relayed. */
  readonly dustUnits: Readonly<Record<OutputForm, bigint>>;
  /** Below, nodes do not relay. */
  readonly feeRateFloor: bigint;
  /** Confirmations after which the reward of a block can be spent. */
  readonly coinbaseMaturity: number;
  /** Whether transactions signal that one that pays more may take their place while no block has them (BIP125). */
  readonly replaceable: boolean;
  /** Nodes keep what they heard first whatever it signals, as long as nobody sets them otherwise: nothing counts on a replacement. */
  readonly keepsFirst?: true;
  /** Whoever makes blocks weighs each transaction by itself, so that a child helps no parent. */
  readonly weighsAlone?: true;
  /** What a signature signs: BIP143 and BIP341 beside the old form, the old form alone, or BIP143 with the fork's flag for every input. */
  readonly digest: 'Segwit' | 'Legacy' | 'ForkId';
};

/** An unspent output of one address. Ids and scripts are bare hex as nodes write them. */
export type Coin = {
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
  readonly scriptHex: string;
  readonly confirmations: number;
  readonly isCoinbase: boolean;
  /** Change of a transaction that this service signed: spendable before it is confirmed. */
  readonly isOwnChange: boolean;
  /** A token lies on it, as the node tells: spending it as money would destroy the token. */
  readonly hasToken?: boolean;
};

/**
 * `milliUnitsPerVbyte` below the network's floor counts as the floor. A replacement names what the replaced transaction pays: by BIP125 it
 * pays that and the floor for its own size. A child names what its ancestors lack, which it pays beside its own rate.
 */
export type UtxoFees = {
  readonly milliUnitsPerVbyte: bigint;
  readonly replacedFeeUnits?: bigint;
  readonly lackingFeeUnits?: bigint;
};

/** Addresses are canonical. An amount of 0 to the sender itself takes all coins chosen home: the cancellation of another transaction. */
export type UtxoIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly publicKeyHex: string;
};

/** `changeUnits` is 0 where there is no change output. */
export type Selection = { readonly coins: readonly Coin[]; readonly feeUnits: bigint; readonly changeUnits: bigint };
/** `TooManyCoins`: the coins would do, but it takes more than one transaction can carry. */
export type SelectionFault = 'InsufficientFunds' | 'TooManyCoins' | 'Dust';

/** 32 bytes each as 0x-hex, as the signer answers them: ECDSA with `s` in the lower half, or the halves of BIP340. */
export type UtxoSignature = { readonly r: string; readonly s: string };

/**
 * Addresses and unsigned transactions of Bitcoin and what descends from it. Unsigned bytes are a PSBT (BIP174, version 0) as 0x-hex; a
 * signed transaction and its id are bare hex, as nodes of this family take and write them.
 */
export interface UtxoCodec extends CodecBase {
  readonly family: 'utxo';
  /** A compressed key (33 bytes) has every form but P2TR, an x-only key (32 bytes) that one alone (BIP86). Throws `AssetNotSupported` for another. */
  addressOf(publicKeyHex: string, form?: OutputForm): string;
  /** Of a canonical address. */
  scriptOf(address: string): string;
  /** The least that nodes carry to a canonical address. */
  dustUnitsOf(address: string): bigint;
  /** Coins that may be spent now; `anchor` are coins that the transaction spends in any case (S7). */
  select(
    intent: UtxoIntent,
    coins: readonly Coin[],
    fees: UtxoFees,
    options?: { readonly anchor?: readonly Coin[] },
  ): Selection | SelectionFault;
  /** `previous` has the whole transaction of every coin by its id, which Taproot coins alone do without (S6). */
  build(intent: UtxoIntent, selection: Selection, previous: ReadonlyMap<string, string>): UnsignedBytes;
  /** What nodes count for the size of a signed transaction (BIP141). */
  vbytesOf(rawHex: string): bigint;
  /** The outputs of a signed transaction that pay a canonical address, as coins that no block has yet. */
  coinsOf(rawHex: string, address: string): readonly Coin[];
  /** One signature per input, in their order. Throws `EnvelopeMismatch` unless each belongs to its input and this key. */
  attach(unsigned: Pick<UnsignedBytes, 'bytesHex'>, signatures: readonly UtxoSignature[], publicKeyHex: string): SignedTx;
  /** A PSBT that somebody else has made, for this key; hex with or without 0x. Throws `InvalidRequest` at `path` for one that is not to be signed. */
  readPsbt(text: string, publicKeyHex: string, path: string): PsbtReading;
  /** One signature per input of the key, in their order. `signed` where the others are there as well. Throws as `attach` does. */
  signPsbt(
    psbtHex: string,
    signatures: readonly UtxoSignature[],
    publicKeyHex: string,
  ): { readonly psbtHex: string; readonly signed?: SignedTx };
  /** Whether keys vouch for messages by BIP322 here, which takes an address with a witness. */
  readonly signsMessages: boolean;
  /** The signature of BIP322 with its prefix, in base64, under `addressOf(publicKeyHex)`. Throws as `attach` does. */
  proveMessage(messageHex: string, format: MessageFormat, signature: UtxoSignature, publicKeyHex: string): string;
}

/** A coin as an input of a PSBT names it. */
export type PsbtCoin = Pick<Coin, 'txid' | 'vout' | 'amountUnits'>;

/** Whose coins are meant: a key's, at every address that it alone unlocks, or those at one address. */
export type PsbtOwner = { readonly publicKeyHex: string } | { readonly address: string };

/**
 * What a PSBT does with the coins of one owner, `address` being where the first of them lies. `recipients` are those who get something, the owner
 * where nobody else does, and empty where a script has no address, so that nobody can tell. `amountUnits` is what they get; beside coins of
 * others it is whatever does not come back to where it came from, its share of the fee included.
 */
export type PsbtEffect = {
  readonly address: string;
  readonly coins: readonly PsbtCoin[];
  readonly recipients: readonly string[];
  readonly amountUnits: bigint;
  /** One of the owner's own inputs has a signature already. */
  readonly isSigned: boolean;
};

/** The same as the builder's library reads it, with what a sender has to know before it is signed. */
export type PsbtReading = PsbtEffect & {
  /** Canonical: lower case with 0x. */
  readonly psbtHex: string;
  /** With the script, as the node must know every one of them. */
  readonly inputs: readonly (PsbtCoin & Pick<Coin, 'scriptHex'>)[];
  readonly feeUnits: bigint;
  /** The size of the transaction without any signature, below which no node counts it. */
  readonly vbytesMin: bigint;
  /** The height or the time (from 500,000,000 on, in seconds) before which it is not mined; 0 where nothing waits. */
  readonly lockTime: number;
  /** An input waits for a number of blocks behind its coin (BIP68). */
  readonly hasRelativeLock: boolean;
  /** Every input of somebody else carries a signature that is good, so that it can be sent once the key has signed. */
  readonly othersSigned: boolean;
};

/** `Simple` is the witness alone, `Full` the whole transaction of BIP322. */
export type MessageFormat = 'Simple' | 'Full';

/** One input as the bytes tell: `isProved` where the previous transaction, or a Taproot digest over all amounts, vouches for the amount. */
export type DecodedInput = {
  readonly txid: string;
  readonly vout: number;
  readonly amountUnits: bigint;
  readonly address: string | undefined;
  readonly scriptHex: string;
  readonly isProved: boolean;
};
/** `address` is undefined for a script that is no address of the network, such as a data output. */
export type DecodedOutput = { readonly address: string | undefined; readonly scriptHex: string; readonly amountUnits: bigint };

/** What a PSBT does, as read by code that did not build it. Whatever was not understood is named in `opaque`; such bytes are never signed as a transfer. */
export type DecodedPsbt = {
  readonly inputs: readonly DecodedInput[];
  readonly outputs: readonly DecodedOutput[];
  readonly feeUnits: bigint;
  readonly opaque: readonly string[];
};

/** What one input has signed. `isTaproot` asks for a Schnorr signature under the tweaked key (BIP341, no script tree). */
export type InputDigest = { readonly index: number; readonly digest: Uint8Array; readonly isTaproot: boolean };

/** The second opinion on bytes: shares no code with `UtxoCodec`, so that one fault or one bad library cannot sign for both. */
export interface UtxoDecoder {
  readonly family: 'utxo';
  addressOf(publicKeyHex: string): string;
  /** Never throws on bytes it cannot read: they come back with a non-empty `opaque`. */
  decode(psbtHex: string): DecodedPsbt;
  /** What a key signs in a PSBT: the inputs that are locked to it alone, in their order. */
  digestsOf(psbtHex: string, publicKeyHex: string): readonly InputDigest[];
  /** Throws for bytes that `decode` does not understand, and where no input is the owner's. */
  effectOf(psbtHex: string, owner: PsbtOwner): PsbtEffect;
  /** What a key signs to vouch for a message (BIP322). Throws where the address of the key has no witness. */
  messageDigestOf(messageHex: string, publicKeyHex: string): InputDigest;
}

export type UnspentCoin = Pick<Coin, 'amountUnits' | 'scriptHex' | 'confirmations' | 'isCoinbase' | 'hasToken'>;

/** What nodes think it takes to be in a block within `blockHorizon` blocks. */
export type FeeRate = { readonly milliUnitsPerVbyte: bigint; readonly blockHorizon: number };

/**
 * Where a transaction of ours stands: in a block, out of the chain for good as long as that block stays in which another one spends its coins, or
 * neither. What waits in the node's memory has dependents, which a replacement drives out with it and pays for (BIP125): how many there are, itself
 * among them, and what all of them pay. With its ancestors, which have to be in a block first, it is weighed when a block is made.
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
  /** All unspent outputs of a canonical address, those that are announced and in no block yet among them. */
  coins(address: string): Promise<readonly Coin[]>;
  /** The whole transactions, as hex by id. Throws `NetworkUnavailable` where the node lacks one. */
  previousTransactions(txids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  feeRates(): Promise<Readonly<Record<FeePriority, FeeRate>>>;
  standing(txid: string): Promise<SpendStatus>;
  /** Anybody's coins as the chain and the waiting transactions have them now, in the order asked; undefined for one that is spent or unknown. */
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
