import type { FeeEstimates } from '../domain/fees';
import type { BlockProof, ChainMovement, NativeSight } from '../domain/movements';
import type { Family, NetworkName, NetworkStatus, Tier } from '../domain/networks';
import type { AbiEntry } from '../domain/registry';
import type { EncryptedAmount, TransferAsset } from '../domain/transfers';
import type { EvmTypes } from './evm/types';
import type { SolanaTypes } from './solana/types';
import type { UtxoTypes } from './utxo/types';

export type Token = { readonly contract: string; readonly symbol: string; readonly decimals: number; readonly verified: boolean };

/**
 * Amounts are in smallest units of the native asset. A fee above `feeCeilingUnits` is never approved, and a fee above
 * `signerFeeCeilingUnits` is never signed.
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
  /** A transaction is final after this number of blocks, its own block included. */
  readonly confirmations: number;
  /** For this number of blocks after finality, a reorganisation is still noticed. The default is `WATCHED_BLOCKS`. */
  readonly watchedBlocks?: number;
  readonly feeCeilingUnits: bigint;
  readonly signerFeeCeilingUnits: bigint;
  /** The maximum number of unconfirmed transactions of one sender: nodes drop further transactions. */
  readonly inFlightMax: number;
  /**
   * If false, the service sends nothing on its own initiative. By default the service speeds up stuck transactions within the
   * approved limits.
   */
  readonly speedsUpStuck?: boolean;
  readonly slip44: number;
  /** The reason why the service does not read the network's blocks. */
  readonly unread?: string;
  /** The reason why balances on the network are not compared with the movements that its blocks report. */
  readonly unswept?: string;
  /**
   * True if the service refuses a block whose hash does not follow from its contents: on this network, only a faulty node returns
   * such a block.
   */
  readonly provesBlocks?: boolean;
  /** The text `{txHash}` stands for the transaction id. */
  readonly explorerTxUrl?: string;
  readonly tokens: readonly Token[];
};

type FamilyTypes = { readonly network: unknown; readonly codec: unknown; readonly decoder: unknown; readonly reader: unknown };
type ForEachFamily<Types extends Readonly<Record<Family, FamilyTypes>>> = Types;
type KnownTypes = {
  readonly evm: EvmTypes;
  readonly utxo: UtxoTypes;
  readonly solana: SolanaTypes;
};
type NoTypes = { readonly network: never; readonly codec: never; readonly decoder: never; readonly reader: never };
/** A family without types causes a single compiler error here, and not an error at every use of a network. */
type TypesOf = ForEachFamily<KnownTypes> & Readonly<Record<Exclude<Family, keyof KnownTypes>, NoTypes>>;

export type NetworkOf<F extends Family> = TypesOf[F]['network'];
export type Network = NetworkOf<Family>;

/** Addresses are canonical (EIP-55), and the amount is in smallest units of the asset. */
export type TransferIntent = {
  readonly network: NetworkName;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly asset: TransferAsset;
  /** Present if the bytes must not reveal the amount (ERC-7984). */
  readonly encrypted?: EncryptedAmount;
};

/** `digestHex` identifies the transaction even if no single digest is signed. */
export type UnsignedBytes = { readonly bytesHex: string; readonly digestHex: string; readonly maxFeeUnits: bigint };
export type SignedTx = { readonly rawHex: string; readonly txHash: string };

/** The asset is `Call` if the bytes do not show who receives which amount. */
export type Effect = {
  readonly asset: TransferAsset | { readonly kind: 'Call' };
  /** The account that receives value. For a `Call`, the contract or account that is called. */
  readonly recipient: string;
  /** The amount in smallest units of the asset. For a `Call`, the native value that the call sends. */
  readonly amountUnits: bigint;
};

/** A codec does not need a node. */
export interface CodecBase {
  readonly family: Family;
  /** The key is compressed or x-only, in hex. The address has the form that a new wallet gets. */
  addressOf(publicKeyHex: string): string;
  /** Returns the canonical form. Throws `InvalidAddress` for a wrong format or checksum. */
  parseAddress(text: string): string;
}
export type Codec = TypesOf[Family]['codec'];

/**
 * A decoder shares no code with the codec: one fault or one bad library must not build wrong bytes and also approve
 * these bytes.
 */
export type Decoder = TypesOf[Family]['decoder'];

/** Every method throws `NetworkUnavailable` when no configured node replies. */
export interface ReaderBase {
  readonly family: Family;
  /** The chain id of EIP-155 in digits, or the hash of the block that identifies the chain. */
  chainId(): Promise<string>;
  nativeBalance(address: string): Promise<bigint>;
  /** The prices with which transfers are built. */
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
  /** True if `height` and `blockHash` name the third party's later block, on which the outcome depends. */
  readonly isElsewhere?: true;
  /** Another operation that has used the nonce. `success` is the outcome of that operation. */
  readonly instead?: { readonly operationHash: string; readonly success: boolean };
};

/**
 * The bytes use up a nonce of the sender, coins, or the inputs in `context`. The service stored `context` when it built the
 * bytes.
 */
export type SignedBytes = {
  readonly txHash: string;
  readonly rawHex: string;
  readonly fromAddress: string;
  readonly nonce: number | null;
  readonly context: Readonly<Record<string, unknown>> | null;
};

/**
 * `isForeign` means that other transactions, perhaps ours, have used up the inputs of the bytes. `unspent` lists the inputs
 * (`txid:vout`) that are still unspent: every node has the coin in a block, and no pending transaction has spent it.
 */
export type Never = { readonly reason: string; readonly isForeign: boolean; readonly unspent?: readonly string[] };

/** Undefined unless the nodes prove that the transaction can no longer get into a block (S7). */
export type WhyNever = (signed: SignedBytes) => Promise<Never | undefined>;

/**
 * Every method throws `NetworkUnavailable` when no node replies. After a broadcast this error means that the outcome
 * is unknown.
 */
export interface Gateway {
  broadcast(rawHex: string, txHash: string): Promise<BroadcastOutcome>;
  head(): Promise<BlockRef>;
  block(height: number): Promise<Block | undefined>;
  /**
   * The receipts of the transactions in blocks of the current chain. `operations` maps a transaction to the hash of its operation
   * (ERC-4337). The receipt then contains the operation's outcome, even if another transaction executed it. A transaction is left
   * out if its operation can still be executed.
   */
  receipts(txHashes: readonly string[], operations?: ReadonlyMap<string, string>): Promise<Map<string, Receipt>>;
  /** True if the node has the transaction in a block or pending. */
  isKnown(txHash: string): Promise<boolean>;
  readonly whyNever?: WhyNever;
}

export type OutputCoin = { readonly txid: string; readonly vout: number; readonly amountUnits: bigint };
/** An output that paid a watched address. */
export type KnownCoin = { readonly address: string; readonly amountUnits: bigint };
/** The known coins that these transactions created, by `txid:vout`. */
export type CoinLookup = (txids: readonly string[]) => Promise<ReadonlyMap<string, KnownCoin>>;

/** A whole block, read once for all organisations. */
export type ScannedBlock = BlockRef & {
  readonly parentHash: string;
  /** The height minus one, or a lower height if there are no blocks directly before this block. */
  readonly parentHeight: number;
  readonly date: Date;
  readonly proof: BlockProof;
  /** The method by which native transfers within calls were found. */
  readonly sight: NativeSight;
  /**
   * The movements, signatures and logs of watched addresses in the block. `isWatched` receives each address in the form of
   * `ScanSource.plain`. `coinsOf` looks up the coins that watched addresses received in earlier blocks.
   */
  readonly contents: (isWatched: (plain: string) => boolean, coinsOf: CoinLookup) => Promise<BlockContents>;
};

export type BlockContents = {
  /** In block order. */
  readonly movements: readonly ChainMovement[];
  /** Each signature that the node attributes to the key of a watched address. */
  readonly signatures: readonly ChainSignature[];
  /** The logs that may concern a watched address, in block order. Absent where contracts have no logs. */
  readonly logs?: readonly ChainLog[];
};

/** A log of a contract. Only the definition of the event can decode the log. */
export type ChainLog = {
  /** The watched addresses that the log may concern, in canonical form: the contract, or an address in the bytes of the log. */
  readonly addresses: readonly string[];
  /** The contract that emitted the log. */
  readonly contract: string;
  readonly txHash: string;
  /**
   * `ordinal` and `place` have the same meaning as for a movement. If the log reports a movement, both records have the same
   * values.
   */
  readonly ordinal: string;
  readonly place: number;
  readonly logIndex: string;
  /** The definition that decodes the log: an event of this interface, or else a well-known event. */
  readonly definedBy: (abi: readonly AbiEntry[]) => LogDefinition | undefined;
  /** Whether the log reports a transfer of a token from or to this address. */
  readonly isTransferOf: (address: string) => boolean;
};

export type LogDefinition = {
  readonly name: string;
  /** The name with the types of the parameters, such as `Approval(address,address,uint256)`. */
  readonly signature: string;
  /** The standard that defines a well-known event. Absent for an event of the interface. */
  readonly standard?: string;
  /** Undefined if the log does not have the form of the definition. */
  readonly decode: () => DecodedLog | undefined;
};

export type DecodedLog = {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Each value of the type `address`, in canonical form. */
  readonly addresses: ReadonlySet<string>;
};

export type JsonValue = string | boolean | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** `r` and `s` are words in 0x-hex. For ECDSA, `s` is the lower of the two possible values. */
export type ChainSignature = {
  readonly address: string;
  readonly txHash: string;
  readonly r: string;
  readonly s: string;
  /** Whether the key of the address made the signature. May ask a node. */
  readonly isGenuine: () => Promise<boolean>;
};

/** `parentHeight` has the same meaning as in `ScannedBlock`. */
export type BlockBody = Block & { readonly parentHeight: number };
export type OnBody = (body: BlockBody) => void;

/** Every method throws `NetworkUnavailable` when no node gives a whole reply. */
export interface ScanSource {
  head(): Promise<BlockRef>;
  /**
   * Undefined if the nodes do not have the block yet. `Skipped` if the network has no block at this height and never will have
   * one: only the parent hash of the next block proves such a gap. `onBody` is called, perhaps twice, as soon as the ids of the
   * block's transactions have the kind of proof that the block will have. At that time the receipts and traces may not have
   * been read yet.
   */
  block(height: number, onBody?: OnBody): Promise<ScannedBlock | 'Skipped' | undefined>;
  /** The last block that the network itself declares final. Absent where only later blocks make a block final. */
  finalHeight?(): Promise<number>;
  /**
   * The coins that the address has received so far, spent or not, in any order. Absent on networks whose transactions name the
   * sender. Throws `NetworkUnavailable` while the node reads its chain for the address, which can take hours.
   */
  earlierCoins?(reader: ChainReader, address: string): Promise<readonly OutputCoin[]>;
  /** The number of blocks that are read at the same time while the scanner is catching up. */
  readonly blocksAtOnce: number;
  /** A block is made at most this long after the date that it states. */
  readonly dateLagMsMax: number;
  /** Converts a canonical address to the form that blocks contain. */
  plain(address: string): string;
  /** `write` writes the bytes of a plain address, and `bytes` is their number. Different addresses have different bytes. */
  readonly key: { readonly bytes: number; readonly write: (plain: string, into: Buffer) => void };
}

/**
 * `Refused` means that a node understood the request, but declined it. `Disagreed` means that nodes which must agree do not
 * agree. `Unavailable` means that too few nodes gave a usable reply.
 */
export type OnRpcCall = (call: {
  readonly network: string;
  readonly method: string;
  readonly outcome: 'Answered' | 'Refused' | 'Disagreed' | 'Unavailable';
  readonly seconds: number;
}) => void;
