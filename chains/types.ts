import type { FeeEstimates } from '../domain/fees';
import type { Family, NetworkName, NetworkStatus, Tier } from '../domain/networks';
import type { EncryptedAmount, TransferAsset } from '../domain/transfers';
import type { EvmTypes } from './evm/types';
import type { SolanaTypes } from './solana/types';
import type { UtxoTypes } from './utxo/types';

export type Token = { readonly contract: string; readonly symbol: string; readonly decimals: number; readonly verified: boolean };

/** What every network has as data. Amounts are smallest units of the native asset; a fee above `feeCeilingUnits` is never approved, one above `signerFeeCeilingUnits` never signed. */
export type NetworkBase = {
  readonly name: NetworkName;
  readonly family: Family;
  readonly isMainnet: boolean;
  readonly standing: NetworkStatus;
  /** Why it does not simply stand as `Live`, or where a number that is easily mistaken comes from. */
  readonly note?: string;
  readonly tier: Tier;
  readonly nativeAsset: { readonly symbol: string; readonly decimals: number };
  /** Blocks including the one of the transaction, after which it counts as final. */
  readonly confirmations: number;
  /** Blocks beyond finality in which a reorganisation is still noticed; `WATCHED_BLOCKS` unless set. */
  readonly watchedBlocks?: number;
  readonly feeCeilingUnits: bigint;
  readonly signerFeeCeilingUnits: bigint;
  /** Signed and unconfirmed transactions one sender may have: nodes drop more than a handful. */
  readonly inFlightMax: number;
  /** False where nothing is sent by the service's own motion; left out, what stands still is sped up within what was approved. */
  readonly speedsUpStuck?: boolean;
  readonly slip44: number;
  /** `{txHash}` stands where the transaction id goes. */
  readonly explorerTxUrl?: string;
  readonly tokens: readonly Token[];
};

type FamilyTypes = { readonly network: unknown; readonly codec: unknown; readonly decoder: unknown; readonly reader: unknown };
type ForEachFamily<Types extends Readonly<Record<Family, FamilyTypes>>> = Types;
/** The types of each family, which are in its own `types.ts`. */
type KnownTypes = {
  readonly evm: EvmTypes;
  readonly utxo: UtxoTypes;
  readonly solana: SolanaTypes;
};
type NoTypes = { readonly network: never; readonly codec: never; readonly decoder: never; readonly reader: never };
/** A family without types is one complaint of the compiler, here, and not one wherever a network is read. */
type TypesOf = ForEachFamily<KnownTypes> & Readonly<Record<Exclude<Family, keyof KnownTypes>, NoTypes>>;

export type NetworkOf<F extends Family> = TypesOf[F]['network'];
/** One network as data. */
export type Network = NetworkOf<Family>;

/** What was asked for and approved. Addresses are canonical (EIP-55), the amount is in smallest units of the asset. */
export type TransferIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly asset: TransferAsset;
  /** What stands for the amount in the bytes, where nobody may read it there (ERC-7984). */
  readonly encrypted?: EncryptedAmount;
};

/** A transaction before it is signed. `digestHex` names it where there is no single digest to sign, too. */
export type UnsignedBytes = { readonly bytesHex: string; readonly digestHex: string; readonly maxFeeUnits: bigint };
export type SignedTx = { readonly rawHex: string; readonly txHash: string };

/** What a raw transaction moves, as far as its bytes tell. `Call` is everything whose effect they do not: nobody can name who gains what. */
export type Effect = {
  readonly asset: TransferAsset | { readonly kind: 'Call' };
  /** Who receives value; for a `Call` the contract or account that is called. */
  readonly recipient: string;
  /** In smallest units of the asset; for a `Call` the native value that goes along. */
  readonly amountUnits: bigint;
};

/** The pure half of a family. */
export interface CodecBase {
  readonly family: Family;
  /** Of a compressed or x-only public key as hex, in the form that a new wallet gets. */
  addressOf(publicKeyHex: string): string;
  /** Answers the canonical form; throws `InvalidAddress` for a wrong format or checksum. */
  parseAddress(text: string): string;
}
export type Codec = TypesOf[Family]['codec'];

/** The second opinion on bytes: shares no code with the codec, so that one fault or one bad library cannot sign for both. */
export type Decoder = TypesOf[Family]['decoder'];

/** Reads of a network. Every method throws `NetworkUnavailable` when no configured node answers. */
export interface ReaderBase {
  readonly family: Family;
  /** What the node says it is: the chain id of EIP-155 in digits, or the hash of the first block. */
  chainId(): Promise<string>;
  nativeBalance(address: string): Promise<bigint>;
  /** What transfers would pay now at each priority: the prices that they are built with. */
  feeEstimates(): Promise<FeeEstimates>;
}
export type ChainReader = TypesOf[Family]['reader'];

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
  /** Null where the signed bytes alone say what is paid, to the unit. */
  readonly feeUnits: bigint | null;
  /** The transaction of somebody else that carried the operation out before ours did. */
  readonly carriedOutBy?: string;
  /** The block is the one of that transaction, because it came later than ours: the end hangs on it. */
  readonly isElsewhere?: true;
  /** The hash of another operation, which was carried out in place of the one in it and has used its nonce up; `success` is that one's end. */
  readonly instead?: { readonly operationHash: string; readonly success: boolean };
};

/** Signed bytes with what they use up: a nonce of the sender, coins, or whatever `context` kept beside them when they were built. */
export type SignedBytes = {
  readonly txHash: string;
  readonly rawHex: string;
  readonly fromAddress: string;
  readonly nonce: number | null;
  readonly context: Readonly<Record<string, unknown>> | null;
};

/**
 * `isForeign`: the chain has used up what the bytes needed for others. Whether those are ours, too, only the rows know. `unspent`: coins (`txid:vout`) of the
 * bytes that every node has in a block, and which neither a block nor anything that waits for one has spent.
 */
export type Never = { readonly reason: string; readonly isForeign: boolean; readonly unspent?: readonly string[] };

/** Why a signed transaction can never get into a block any more; undefined while it can, and while that is not proved (S7). */
export type WhyNever = (signed: SignedBytes) => Promise<Never | undefined>;

/** Sends transactions and follows blocks. Every method throws `NetworkUnavailable` when no node answers: after a broadcast that means unknown, never failed. */
export interface Gateway {
  broadcast(rawHex: string, txHash: string): Promise<BroadcastOutcome>;
  head(): Promise<BlockRef>;
  block(height: number): Promise<Block | undefined>;
  /**
   * Only transactions that are in a block of the node's present chain appear. `operations` names those of which an operation counts that they carry
   * (ERC-4337), by its hash: whether that was carried out, even by others. While it may still be, the transaction does not appear.
   */
  receipts(txHashes: readonly string[], operations?: ReadonlyMap<string, string>): Promise<Map<string, Receipt>>;
  /** Whether the node knows the transaction, in a block or waiting for one. */
  isKnown(txHash: string): Promise<boolean>;
  readonly whyNever?: WhyNever;
}

/**
 * One question to the nodes of a network, for the metrics. `Refused`: a node understood and said no; `Disagreed`: nodes that must agree
 * do not; `Unavailable`: none answered.
 */
export type OnRpcCall = (call: {
  readonly network: string;
  readonly method: string;
  readonly outcome: 'Answered' | 'Refused' | 'Disagreed' | 'Unavailable';
  readonly seconds: number;
}) => void;
