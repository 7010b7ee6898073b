import type { FeeEstimates } from '../../domain/fees';
import type { EvmCall, EvmTerms, UserCall } from '../../domain/transactions';
import type { AssetKind, EncryptedAmount, FeePriority, TransferAsset } from '../../domain/transfers';
import type { CodecBase, Effect, NetworkBase, ReaderBase, SignedTx, TransferIntent, UnsignedBytes } from '../types';

export type FeeCurrency = { readonly contract: string; readonly symbol: string };

/** How the blocks of a network show payments. */
export type Sees = {
  /**
   * `Calls`: the value of transactions and of the calls within them. `Logs`: the value of transactions, and the logs that the
   * chain itself adds for every other payment (EIP-7708). `Nothing`: the network has no native coin.
   */
  readonly native: 'Calls' | 'Logs' | 'Nothing';
  /**
   * The contract that exposes the native coin as a token with the same balance. `Repeat`: a transfer log of the contract
   * repeats a payment that `native` shows. `Pay`: the log is the only sign of a payment in the native coin.
   */
  readonly nativeToken?: { readonly contract: string; readonly logs: 'Repeat' | 'Pay' };
  /**
   * The contract that collects fees in a token. The last log of a receipt is then the transfer of the fee. One smallest unit of
   * the token equals `scale` units of fees.
   */
  readonly feeLog?: { readonly collector: string; readonly scale: bigint };
};

/** At start, a process that queries nodes compares `chainId` (EIP-155) with the chain id of the nodes. */
type EvmRecord = NetworkBase & {
  readonly family: 'evm';
  readonly curve: 'secp256k1';
  readonly scheme: 'ECDSA';
  readonly chainId: number;
  readonly sees: Sees;
  /** Percentiles of the tips in recent blocks. The default is 10, 50 and 90. */
  readonly tipPercentiles?: Readonly<Record<FeePriority, number>>;
  /** Assets that other EVM networks move, but this network does not. */
  readonly lacks: readonly AssetKind[];
  /**
   * Tokens in which a transaction may pay its fee, each worth about a dollar. If a transaction pays in a token, prices, fees and
   * fee ceilings are expressed in 10^-18 of the token.
   */
  readonly feeCurrencies: readonly FeeCurrency[];
  /** The token among `feeCurrencies` in which transfers pay their fees. The default is the native coin. */
  readonly feeCurrency?: string;
  /** True if the operator has configured a service that encrypts ERC-7984 amounts. */
  readonly hasConfidentialAmounts?: true;
  /** A prefix that the service accepts instead of 0x. The service stores the address with 0x. */
  readonly addressPrefix?: 'xdc';
};

type VariantRecords = {
  readonly ethereum: unknown;
  /** Networks without EIP-1559: transactions are of type 0 or 1, with one price per gas. */
  readonly legacy: unknown;
  /** These networks also charge for the data of a transaction (`GasPriceOracle`, https://specs.optimism.io). */
  readonly opStack: unknown;
  /** A transaction may name a token of `feeCurrencies` to pay its fee (CIP-64, type 0x7b). */
  readonly celo: unknown;
  /** Networks without a native coin: fees are paid in `feeToken`, and transfers are of type 0x76 (https://docs.tempo.xyz). */
  readonly tempo: {
    /** A TIP-20 token. Gas prices and fees are in 10^-18 dollar, and balances are in the token's own smallest units. */
    readonly feeToken: { readonly contract: string; readonly decimals: number };
    /**
     * The service uses the nonce keys from 1 up to this number and the account's own nonce. A stalled transaction holds back
     * only transactions with the same nonce key.
     */
    readonly nonceKeys: number;
  };
};

/**
 * The rules for the transactions, fees and lanes of a network. A lane is a sequence of nonces that an account uses. `variants.ts`
 * defines the builder's rules, and `decoder-variants.ts` defines the decoder's rules.
 */
export type EvmVariant = keyof VariantRecords;
export type EvmNetworkOf<V extends EvmVariant> = {
  readonly [K in V]: EvmRecord & { readonly variant: K } & VariantRecords[K];
}[V];
export type EvmNetwork = EvmNetworkOf<EvmVariant>;

export type EvmOverrides = Pick<EvmNetwork, 'tipPercentiles' | 'feeCurrency' | 'hasConfidentialAmounts'>;

export type OfEachVariant<Made> = { readonly [V in EvmVariant]: (network: EvmNetworkOf<V>) => Made };

/** `gas` is the gas limit. The prices are in wei per gas. */
export type FeeTerms = {
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** The data fee in wei, in addition to the gas. The signed bytes do not limit the data fee. */
  readonly dataFeeUnits?: bigint;
};

export type EvmTransferForm = { readonly feeCurrency?: string; readonly nonceKey?: bigint };

export type UnsignedTx = UnsignedBytes & { readonly nonce: number };
/** `r` and `s` are 32 bytes each as 0x-hex; `s` is in the lower half of its range. */
export type Signature = { readonly r: string; readonly s: string; readonly recoveryId: 0 | 1 };

/**
 * The effect of unsigned bytes, read by code that did not build the bytes. `opaque` lists everything that this code did not
 * understand; the signer never signs bytes with a non-empty `opaque`.
 */
export type DecodedTx = {
  readonly chainId: number;
  readonly nonce: number;
  readonly recipient: string;
  /** 0 if the bytes show only `encrypted`. */
  readonly amountUnits: bigint;
  readonly encrypted?: EncryptedAmount;
  readonly asset: TransferAsset;
  /**
   * The account from which a token is taken, if the bytes name it. The owner of a non-fungible token can let another account send
   * the transfer.
   */
  readonly owner?: string;
  /** The token in which the fee is expressed. Undefined if the fee is in the network's own unit. */
  readonly feeCurrency?: string;
  /** Omitted if the nonce is the account's own nonce. */
  readonly nonceKey?: bigint;
  readonly maxFeeUnits: bigint;
  readonly opaque: readonly string[];
};

/** Unsigned bytes of any type. `opaque` has the same meaning as in `DecodedTx`. */
export type DecodedCall = {
  readonly chainId: number;
  readonly nonce: number;
  readonly nonceKey?: bigint;
  readonly maxFeeUnits: bigint;
  readonly call: EvmCall;
  readonly effect: Effect;
  readonly opaque: readonly string[];
};

/**
 * `opaque` has the same meaning as in `DecodedTx`. The sender of the operation signs `operationDigestHex` and, with an
 * authorization, also `authorization.digestHex`.
 */
export type DecodedSponsored = {
  readonly chainId: number;
  readonly nonce: number;
  readonly maxFeeUnits: bigint;
  readonly sponsor: string;
  readonly operation: UserOperation;
  readonly operationDigestHex: string;
  /** Undefined without a valid signature. */
  readonly operationSigner: string | undefined;
  readonly authorization: { readonly nonce: number; readonly digestHex: string; readonly signer: string | undefined } | null;
  readonly effects: readonly Effect[];
  /** The transfer, if the operation consists of exactly one transfer. */
  readonly transfer: DecodedTx | undefined;
  readonly opaque: readonly string[];
};

/** The account makes these calls once a third party submits the signed message to the account or to the entry point. */
export type DecodedSmartAccount = { readonly chainId: number; readonly address: string; readonly calls: readonly UserCall[] };

/** A token that `recipient` can take with a signature, up to `amountUnits`. */
export type Spend = {
  readonly chainId: number;
  readonly contract: string;
  readonly recipient: string;
  readonly amountUnits: bigint;
};

export type RequestedQuantity = string | number;

/** Quantities are decimal digits, 0x-hex or integers. */
export type TransactionInput = {
  readonly type?: RequestedQuantity | undefined;
  readonly chainId?: RequestedQuantity | undefined;
  readonly from?: string | undefined;
  readonly to?: string | null | undefined;
  readonly value?: RequestedQuantity | undefined;
  readonly data?: string | undefined;
  readonly nonce?: RequestedQuantity | undefined;
  readonly gasLimit?: RequestedQuantity | undefined;
  readonly gasPrice?: RequestedQuantity | undefined;
  readonly maxFeePerGas?: RequestedQuantity | undefined;
  readonly maxPriorityFeePerGas?: RequestedQuantity | undefined;
  readonly feeCurrency?: string | undefined;
  readonly nonceKey?: RequestedQuantity | undefined;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] | undefined;
  readonly authorizationList?: readonly AuthorizationInput[] | undefined;
};
export type AuthorizationInput = {
  readonly chainId: RequestedQuantity;
  readonly address: string;
  readonly nonce: RequestedQuantity;
  readonly yParity: RequestedQuantity;
  readonly r: string;
  readonly s: string;
};

export type UserCallInput = Pick<TransactionInput, 'to' | 'value' | 'data'>;
/**
 * An ERC-4337 operation (entry point 0.8) that costs its sender nothing. The entry point counts `nonce` separately from the
 * account's own nonce.
 */
export type UserOperation = {
  readonly sender: string;
  readonly nonce: bigint;
  readonly calls: readonly UserCall[];
  readonly verificationGas: bigint;
  readonly callGas: bigint;
};

/**
 * `authorizationNonce` is the nonce of the authorization for `DELEGATE`, or null if the sender already runs the code at
 * `DELEGATE`.
 */
export type Sponsored = {
  readonly operation: UserOperation;
  readonly sponsor: string;
  readonly authorizationNonce: number | null;
};
export type SponsoredFees = FeeTerms &
  Pick<UserOperation, 'verificationGas' | 'callGas'> & {
    /** True if the sender of the operation already runs the code at `DELEGATE`. */
    readonly isDelegated: boolean;
  };

/** Only tuples have components. */
export type AbiParameter = {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly AbiParameter[] | undefined;
};
export type AbiFunction = {
  readonly name: string;
  readonly stateMutability: 'pure' | 'view' | 'nonpayable' | 'payable';
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
};
/** Arguments by the names of the parameters, or by position for a parameter without a name. */
export type FunctionArguments = Readonly<Record<string, unknown>>;

export interface EvmCodec extends CodecBase {
  readonly family: 'evm';
  build(intent: TransferIntent, nonce: number, fees: FeeTerms, form?: EvmTransferForm): UnsignedTx;
  /**
   * Reads the members of a transaction, or the hex of its unsigned bytes. Throws `InvalidRequest` with the path of the faulty
   * member below `at` unless `input` is a transaction of this network and this sender.
   */
  termsOf(input: TransactionInput | string, from: string, at: string): EvmTerms;
  effectOf(call: EvmCall): Effect;
  /**
   * `at` is the path of the member that holds `abi` and `calldata`. Throws `InvalidRequest` with the path of the
   * offending value.
   */
  encodeFunction(abi: AbiFunction, values: FunctionArguments, at: string): string;
  /**
   * Integers become digits, and several values become a list. Throws `InvalidRequest` if the bytes do not match the outputs of
   * the function.
   */
  decodeAnswer(abi: AbiFunction, dataHex: string, at: string): unknown;
  buildCall(call: EvmCall, nonce: number, fees: FeeTerms): UnsignedTx;
  callOf(intent: TransferIntent): UserCall;
  /** Throws `InvalidRequest` with the path below `at` for an invalid call, and for a call that could hide other calls. */
  userCallsOf(inputs: readonly UserCallInput[], from: string, at: string): readonly UserCall[];
  /** `unsigned` has placeholders for the sender's signatures. The entry point identifies the operation by `operationHash`. */
  buildSponsored(
    sponsored: Sponsored,
    nonce: number,
    fees: FeeTerms,
  ): { readonly unsigned: UnsignedTx; readonly operationHash: string };
  sponsoredFeesIn(unsignedBytesHex: string): FeeTerms;
  /**
   * The signature of the operation comes first, and the signature of the authorization comes second. Throws unless the sender
   * made every signature.
   */
  completeSponsored(unsigned: UnsignedTx, signatures: readonly Signature[]): UnsignedTx;
  /** Throws unless `from` made the signature and `s` is in the lower half of its range. */
  attach(unsigned: UnsignedTx, signature: Signature, from: string): SignedTx;
}

/**
 * The decoder shares no code with `EvmCodec`: one fault or one bad library must not build wrong bytes and also approve
 * these bytes.
 */
export interface EvmDecoder {
  readonly family: 'evm';
  /** This method never throws: for unreadable bytes, the result has a non-empty `opaque`. */
  decode(unsignedBytesHex: string): DecodedTx;
  /** Never throws. */
  decodeCall(unsignedBytesHex: string): DecodedCall;
  /** Never throws. */
  decodeSponsored(unsignedBytesHex: string): DecodedSponsored;
  digestOf(unsignedBytesHex: string): Uint8Array;
  addressOf(publicKeyHex: string): string;
  sameAddress(a: string, b: string): boolean;
}

export interface EvmReader extends ReaderBase {
  readonly family: 'evm';
  tokenBalance(contract: string, address: string): Promise<bigint>;
  /**
   * The balances of each address after the block with this hash, by contract address. The native asset has the empty string as
   * its key. Leaves out a token without a readable balance. Throws `NetworkUnavailable` if the node does not have this state.
   */
  balancesAt(
    addresses: readonly string[],
    contracts: readonly string[],
    blockHash: string,
  ): Promise<readonly ReadonlyMap<string, bigint>[]>;
  /** Undefined without readable decimals. An unreadable symbol is omitted. */
  tokenMetadata(contract: string): Promise<{ symbol?: string; decimals: number } | undefined>;
  /** Undefined if the ERC-721 contract or the token does not exist. */
  collectible(contract: string, tokenId: string): Promise<{ symbol?: string; owner: string } | undefined>;
  /**
   * The handle of an encrypted ERC-7984 balance. Undefined if the address has no ERC-7984 contract, and null for an account
   * that has never received the token.
   */
  confidentialBalance(contract: string, address: string): Promise<string | null | undefined>;
  /**
   * The balance in the unit of fees. Without `feeCurrency` this balance is the native balance or, on a network without a native
   * coin, the balance of the fee token.
   */
  feeBalance(address: string, feeCurrency?: string): Promise<bigint>;
  feeEstimates(feeCurrency?: string): Promise<FeeEstimates>;
  /**
   * The data fee in wei for the smallest transaction, or 0 if the network does not charge a fee for data. The value is at most
   * twelve seconds old.
   */
  leastDataFee(): Promise<bigint>;
  /** The number of transactions under this nonce key. The key must not be 0, which stands for the account's own nonce. */
  keyedCount(address: string, nonceKey: bigint): Promise<number>;
  hasCode(address: string): Promise<boolean>;
  /** True if the network has the contracts for sponsored operations. */
  hasSponsoring(): Promise<boolean>;
  /**
   * Throws `TransferWouldFail` if a call would revert, if the sender's account runs code other than that of `DELEGATE`, or if the
   * sponsor cannot pay.
   */
  sponsoredFees(
    sponsored: Pick<Sponsored, 'sponsor'> & Pick<UserOperation, 'sender' | 'calls' | 'nonce'>,
    priority: FeePriority,
  ): Promise<SponsoredFees>;
  /**
   * Throws `CallReverted` with the contract's reason, or `InvalidRequest` with the path `at` for an address without a contract.
   */
  call(contract: string, dataHex: string, at: string): Promise<string>;
  transactionCount(address: string, at: 'latest' | 'pending'): Promise<number>;
  /** Throws `TransferWouldFail` when the network reports that the transfer would revert or cannot be paid. */
  feeTerms(intent: TransferIntent, priority: FeePriority, form?: EvmTransferForm): Promise<FeeTerms>;
  /**
   * Keeps the requested gas and prices. With a requested gas limit nothing is simulated, because the transaction may depend on
   * another transaction that is not mined yet.
   */
  callFees(from: string, terms: EvmTerms): Promise<FeeTerms>;
}

export type EvmTypes = {
  readonly network: EvmNetwork;
  readonly codec: EvmCodec;
  readonly decoder: EvmDecoder;
  readonly reader: EvmReader;
};
