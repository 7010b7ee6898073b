import type { FeeEstimates } from '../domain/fees';
import type { Family, NetworkName, NetworkStatus, Tier } from '../domain/networks';
import type { EncryptedAmount, TransferAsset } from '../domain/transfers';
import type { EvmTypes } from './evm/types';
import type { SolanaTypes } from './solana/types';
import type { UtxoTypes } from './utxo/types';

export type Token = { readonly contract: string; readonly symbol: string; readonly decimals: number; readonly verified: boolean };

/**
 * The data of every network. Amounts are in smallest units of the native asset. A fee above `feeCeilingUnits` is never
 * approved, and a fee above `signerFeeCeilingUnits` is never signed.
 */
export type NetworkBase = {
  readonly name: NetworkName;
  readonly family: Family;
  readonly isMainnet: boolean;
  readonly standing: NetworkStatus;
  /** The reason why `standing` is not `Live`, or a fact that explains a number of the record. */
  readonly note?: string;
  readonly tier: Tier;
  readonly nativeAsset: { readonly symbol: string; readonly decimals: number };
  /** A transaction counts as final after this number of blocks. The number includes the transaction's own block. */
  readonly confirmations: number;
  /**
   * After a transaction is final, a reorganisation is still noticed during this number of further blocks; `WATCHED_BLOCKS`
   * unless set.
   */
  readonly watchedBlocks?: number;
  readonly feeCeilingUnits: bigint;
  readonly signerFeeCeilingUnits: bigint;
  /** The maximum number of signed but unconfirmed transactions of one sender, because nodes drop further transactions. */
  readonly inFlightMax: number;
  /**
   * False if the service sends nothing on its own initiative. Unless this member is false, the service speeds up stuck
   * transactions within the approved limits.
   */
  readonly speedsUpStuck?: boolean;
  readonly slip44: number;
  /** The URL of a transaction's page in an explorer, with `{txHash}` in place of the transaction id. */
  readonly explorerTxUrl?: string;
  readonly tokens: readonly Token[];
};

type FamilyTypes = { readonly network: unknown; readonly codec: unknown; readonly decoder: unknown; readonly reader: unknown };
type ForEachFamily<Types extends Readonly<Record<Family, FamilyTypes>>> = Types;
/** The types of each family, as defined in the family's own `types.ts`. */
type KnownTypes = {
  readonly evm: EvmTypes;
  readonly utxo: UtxoTypes;
  readonly solana: SolanaTypes;
};
type NoTypes = { readonly network: never; readonly codec: never; readonly decoder: never; readonly reader: never };
/** A family without types causes a single compiler error in this type, and not an error at every use of a network. */
type TypesOf = ForEachFamily<KnownTypes> & Readonly<Record<Exclude<Family, keyof KnownTypes>, NoTypes>>;

export type NetworkOf<F extends Family> = TypesOf[F]['network'];
/** One network as data. */
export type Network = NetworkOf<Family>;

/** The approved transfer. Addresses are canonical (EIP-55), and the amount is in smallest units of the asset. */
export type TransferIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly asset: TransferAsset;
  /** The amount in encrypted form. The bytes contain this form if the bytes must not reveal the amount (ERC-7984). */
  readonly encrypted?: EncryptedAmount;
};

/** A transaction before it is signed. `digestHex` identifies the transaction even if there is no single digest to sign. */
export type UnsignedBytes = { readonly bytesHex: string; readonly digestHex: string; readonly maxFeeUnits: bigint };
export type SignedTx = { readonly rawHex: string; readonly txHash: string };

/**
 * The effect of a raw transaction, as far as its bytes show the effect. The asset is `Call` if the bytes do not show who
 * receives which amount.
 */
export type Effect = {
  readonly asset: TransferAsset | { readonly kind: 'Call' };
  /** The account that receives value; for a `Call` the contract or account that is called. */
  readonly recipient: string;
  /** The amount in smallest units of the asset; for a `Call`, the native value that the call sends. */
  readonly amountUnits: bigint;
};

/** The functions that the codec of every family has. A codec needs no node. */
export interface CodecBase {
  readonly family: Family;
  /** The address of a public key. The key is compressed or x-only, in hex. The address has the form that a new wallet gets. */
  addressOf(publicKeyHex: string): string;
  /** Returns the canonical form; throws `InvalidAddress` for a wrong format or checksum. */
  parseAddress(text: string): string;
}
export type Codec = TypesOf[Family]['codec'];

/**
 * Reads the bytes that a codec built. A decoder shares no code with the codec, so that one fault or one bad library cannot both
 * build wrong bytes and approve these bytes.
 */
export type Decoder = TypesOf[Family]['decoder'];

/** Reads the state of a network. Every method throws `NetworkUnavailable` when no configured node replies. */
export interface ReaderBase {
  readonly family: Family;
  /** The chain that the node serves: the chain id of EIP-155 in digits, or the hash of the block that identifies the chain. */
  chainId(): Promise<string>;
  nativeBalance(address: string): Promise<bigint>;
  /** The current fees of transfers at each priority. Transfers are built with the same prices. */
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
  /** Null if the signed bytes alone determine the fee exactly. */
  readonly feeUnits: bigint | null;
  /** A third party's transaction that executed the operation, or used the operation's nonce, in place of our transaction. */
  readonly carriedOutBy?: string;
  /**
   * True if `height` and `blockHash` name the block of the third party's transaction. This block is later than the block of our
   * transaction, and the outcome depends on the later block.
   */
  readonly isElsewhere?: true;
  /**
   * Another operation that was executed in place of this operation, and has used the nonce; `success` is the outcome of that
   * operation.
   */
  readonly instead?: { readonly operationHash: string; readonly success: boolean };
};

/**
 * Signed bytes, and the inputs that the bytes use up: a nonce of the sender, coins, or the inputs in `context`. The service
 * stored `context` when the service built the bytes.
 */
export type SignedBytes = {
  readonly txHash: string;
  readonly rawHex: string;
  readonly fromAddress: string;
  readonly nonce: number | null;
  readonly context: Readonly<Record<string, unknown>> | null;
};

/**
 * `isForeign` means that other transactions have used up the inputs of the bytes. Only the database shows whether those
 * transactions are ours. `unspent` lists those inputs of the bytes (`txid:vout`) that are still coins. Every node has such a
 * coin in a block, and neither a block nor a pending transaction has spent the coin.
 */
export type Never = { readonly reason: string; readonly isForeign: boolean; readonly unspent?: readonly string[] };

/** The reason why a signed transaction can no longer get into a block; undefined unless this fact is proved (S7). */
export type WhyNever = (signed: SignedBytes) => Promise<Never | undefined>;

/**
 * Sends transactions and reads blocks. Every method throws `NetworkUnavailable` when no node replies. After a broadcast this
 * error means that the outcome is unknown, and never that the transaction failed.
 */
export interface Gateway {
  broadcast(rawHex: string, txHash: string): Promise<BroadcastOutcome>;
  head(): Promise<BlockRef>;
  block(height: number): Promise<Block | undefined>;
  /**
   * The receipts of those transactions that are in a block of the node's current chain. `operations` maps a transaction to the
   * hash of its operation (ERC-4337). The receipt then has the outcome of the operation, even if another transaction executed
   * the operation. A transaction is left out if its operation can still be executed.
   */
  receipts(txHashes: readonly string[], operations?: ReadonlyMap<string, string>): Promise<Map<string, Receipt>>;
  /** Tells whether the node knows the transaction, in a block or pending. */
  isKnown(txHash: string): Promise<boolean>;
  readonly whyNever?: WhyNever;
}

/**
 * Reports one request to the nodes of a network for the metrics. `Refused` means that a node understood the request and
 * declined the request. `Disagreed` means that nodes which must agree do not agree. `Unavailable` means that too few nodes gave
 * a usable reply.
 */
export type OnRpcCall = (call: {
  readonly network: string;
  readonly method: string;
  readonly outcome: 'Answered' | 'Refused' | 'Disagreed' | 'Unavailable';
  readonly seconds: number;
}) => void;
