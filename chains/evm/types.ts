import type { FeeEstimates } from '../../domain/fees';
import type { EvmCall, EvmTerms, UserCall } from '../../domain/transactions';
import type { AssetKind, EncryptedAmount, FeePriority, TransferAsset } from '../../domain/transfers';
import type { CodecBase, Effect, NetworkBase, ReaderBase, SignedTx, TransferIntent, UnsignedBytes } from '../types';

/** A token with which a transaction may pay its fee, in place of the native coin. */
export type FeeCurrency = { readonly contract: string; readonly symbol: string };

/**
 * The record of every EVM network. `chainId` is the chain id of EIP-155. At start, a process that queries nodes compares
 * `chainId` with the chain id of the nodes.
 */
type EvmRecord = NetworkBase & {
  readonly family: 'evm';
  readonly curve: 'secp256k1';
  readonly scheme: 'ECDSA';
  readonly chainId: number;
  /** Percentiles of the tips in recent blocks, by priority; 10, 50 and 90 unless set. */
  readonly tipPercentiles?: Readonly<Record<FeePriority, number>>;
  /** Kinds of assets that other EVM networks move and this network does not. */
  readonly lacks: readonly AssetKind[];
  /**
   * Tokens in which a transaction may pay its fee. Each token is worth about a dollar, and the transaction names the token that
   * pays its fee. Prices, fees and fee ceilings of such a transaction are counted in units of 10^-18 of the token.
   */
  readonly feeCurrencies: readonly FeeCurrency[];
  /** The token among `feeCurrencies` in which transfers pay their fees; the native coin unless set. */
  readonly feeCurrency?: string;
  /** True if the operator has configured a service that encrypts ERC-7984 amounts on this network. */
  readonly hasConfidentialAmounts?: true;
  /**
   * The prefix that addresses may have instead of 0x: XDC writes `xdc`. The service accepts both prefixes and stores the
   * address with 0x.
   */
  readonly addressPrefix?: 'xdc';
};

/** By variant, the members that the records of the variant's networks have in addition to `EvmRecord`. */
type VariantRecords = {
  readonly ethereum: unknown;
  /** Networks without EIP-1559: transactions are of type 0 or 1, with one price per gas. */
  readonly legacy: unknown;
  /**
   * Networks that charge for the data of a transaction in addition to its gas (`GasPriceOracle`, https://specs.optimism.io).
   */
  readonly opStack: unknown;
  /** Networks on which a transaction may name one of `feeCurrencies` to pay its fee (CIP-64, type 0x7b). */
  readonly celo: unknown;
  /** Networks without a native coin: fees are taken in `feeToken`, and transfers are of type 0x76 (https://docs.tempo.xyz). */
  readonly tempo: {
    /**
     * A TIP-20 token. Gas prices and fees are counted in units of 10^-18 dollar. Balances of the token are counted in the
     * token's own smallest units.
     */
    readonly feeToken: { readonly contract: string; readonly decimals: number };
    /**
     * The number of nonce keys that the service uses. The network counts a separate nonce of an account under every 32-byte key
     * (`nonceKey`). The service uses the keys from 1 up to this number, in addition to the account's own nonce. Under each key
     * one transaction is open at a time, so that a stalled transaction does not hold back transactions under other keys.
     */
    readonly nonceKeys: number;
  };
};

/**
 * A variant is a set of rules for the transactions, fees and lanes of a network. The rules are slots: functions that every
 * variant must either have or declare absent. `variants.ts` has the slots for building transactions, and `decoder-variants.ts`
 * has the slots for reading transactions.
 */
export type EvmVariant = keyof VariantRecords;
export type EvmNetworkOf<V extends EvmVariant> = {
  readonly [K in V]: EvmRecord & { readonly variant: K } & VariantRecords[K];
}[V];
export type EvmNetwork = EvmNetworkOf<EvmVariant>;

/** Members that a configuration may override. */
export type EvmOverrides = Pick<EvmNetwork, 'tipPercentiles' | 'feeCurrency' | 'hasConfidentialAmounts'>;

/** For each variant, a function that makes a value from the record of a network with that variant. */
export type OfEachVariant<Made> = { readonly [V in EvmVariant]: (network: EvmNetworkOf<V>) => Made };

/** `gas` is the gas limit. `maxFeePerGas` and `maxPriorityFeePerGas` are in wei per gas. */
export type FeeTerms = {
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** The data fee in wei, in addition to the gas, if the network charges a data fee. The signed bytes do not limit this fee. */
  readonly dataFeeUnits?: bigint;
};

/**
 * The choices that some variants offer for a transfer: the token that pays the fee, and the key under which the network counts
 * the transfer's nonce.
 */
export type EvmTransferForm = { readonly feeCurrency?: string; readonly nonceKey?: bigint };

export type UnsignedTx = UnsignedBytes & { readonly nonce: number };
/** `r` and `s` are 32 bytes each as 0x-hex; `s` is in the lower half of its range. */
export type Signature = { readonly r: string; readonly s: string; readonly recoveryId: 0 | 1 };

/**
 * The effect of unsigned bytes, as read by code that did not build the bytes. `opaque` names everything that this code did not
 * understand. Bytes with a non-empty `opaque` are never signed.
 */
export type DecodedTx = {
  readonly chainId: number;
  readonly nonce: number;
  readonly recipient: string;
  /** The amount; 0 if the bytes do not show the amount. In this case `encrypted` has the amount in encrypted form. */
  readonly amountUnits: bigint;
  readonly encrypted?: EncryptedAmount;
  readonly asset: TransferAsset;
  /**
   * The account from which a token is taken, if the bytes name this account. This account need not be the sender, because the
   * owner of a non-fungible token can approve that others transfer the token.
   */
  readonly owner?: string;
  /** The token in which the fee is counted; omitted if the fee is counted in the network's own unit. */
  readonly feeCurrency?: string;
  /** The key under which the network counts the transaction's nonce; omitted if the nonce is the account's own nonce. */
  readonly nonceKey?: bigint;
  readonly maxFeeUnits: bigint;
  readonly opaque: readonly string[];
};

/** Unsigned bytes of any type, as read by code that did not build the bytes. `opaque` is the same as in `DecodedTx`. */
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
 * A sponsor's transaction as read by code that did not build the transaction. `opaque` means the same as in `DecodedTx`. The
 * sender of the operation signs `operationDigestHex` and, if there is an authorization, also `authorization.digestHex`.
 */
export type DecodedSponsored = {
  readonly chainId: number;
  /** The nonce of the sponsor's transaction. */
  readonly nonce: number;
  readonly maxFeeUnits: bigint;
  readonly sponsor: string;
  readonly operation: UserOperation;
  readonly operationDigestHex: string;
  /** The signer of the operation, as recovered from the bytes; undefined without a valid signature. */
  readonly operationSigner: string | undefined;
  readonly authorization: { readonly nonce: number; readonly digestHex: string; readonly signer: string | undefined } | null;
  /** The effects of the operation's calls, in order. */
  readonly effects: readonly Effect[];
  /** The transfer, if the operation consists of exactly one transfer. */
  readonly transfer: DecodedTx | undefined;
  readonly opaque: readonly string[];
};

/**
 * The account and the calls in a message, as read by code that did not build the message. The account makes these calls once a
 * third party submits the signed message to the account or to the entry point.
 */
export type DecodedSmartAccount = { readonly chainId: number; readonly address: string; readonly calls: readonly UserCall[] };

/**
 * A token that others can take with a signature. `recipient` is the party that can take the token, and `amountUnits` is the
 * maximum amount.
 */
export type Spend = {
  readonly chainId: number;
  /** Canonical address of the token. */
  readonly contract: string;
  readonly recipient: string;
  readonly amountUnits: bigint;
};

export type RequestedQuantity = string | number;

/** A raw transaction as callers write it: quantities are decimal digits, 0x-hex or integers. */
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
 * An operation that a sponsor sends. `authorizationNonce` is the nonce of the authorization with which the sender delegates to
 * the code at `DELEGATE`. `authorizationNonce` is null if the sender already runs that code.
 */
export type Sponsored = {
  readonly operation: UserOperation;
  readonly sponsor: string;
  readonly authorizationNonce: number | null;
};
/** Gas and prices of the sponsor's transaction, and the two gas limits of the operation. */
export type SponsoredFees = FeeTerms &
  Pick<UserOperation, 'verificationGas' | 'callGas'> & {
    /** Tells whether the sender of the operation already runs the code at `DELEGATE`. */
    readonly isDelegated: boolean;
  };

/** A parameter of a function in a contract's ABI. Only tuples have components. */
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
/** The arguments of a function by the names of its parameters, or by position for a parameter without a name. */
export type FunctionArguments = Readonly<Record<string, unknown>>;

/** Parses addresses, builds unsigned bytes and attaches signatures. */
export interface EvmCodec extends CodecBase {
  readonly family: 'evm';
  build(intent: TransferIntent, nonce: number, fees: FeeTerms, form?: EvmTransferForm): UnsignedTx;
  /**
   * Reads a transaction from its members, or from the hex of its unsigned bytes. `at` is the path of the transaction in the
   * request. Throws `InvalidRequest` with the path of the faulty member unless `input` is a transaction of this network and
   * this sender.
   */
  termsOf(input: TransactionInput | string, from: string, at: string): EvmTerms;
  effectOf(call: EvmCall): Effect;
  /**
   * Builds call data. `at` is the path of the request's member that holds `abi` and `calldata`. Throws `InvalidRequest` with
   * the path of the offending value.
   */
  encodeFunction(abi: AbiFunction, values: FunctionArguments, at: string): string;
  /**
   * The function's result as JSON: integers as digits, one value as it is, and several values as a list. Throws
   * `InvalidRequest` if the bytes do not match the outputs of the function.
   */
  decodeAnswer(abi: AbiFunction, dataHex: string, at: string): unknown;
  buildCall(call: EvmCall, nonce: number, fees: FeeTerms): UnsignedTx;
  callOf(intent: TransferIntent): UserCall;
  /**
   * Reads the calls of one operation. Throws `InvalidRequest` with the path below `at` for an invalid call, and for a call that
   * could hide other calls.
   */
  userCallsOf(inputs: readonly UserCallInput[], from: string, at: string): readonly UserCall[];
  /**
   * The sponsor's transaction with placeholders for the sender's signatures, and the hash by which the entry point identifies
   * the operation.
   */
  buildSponsored(
    sponsored: Sponsored,
    nonce: number,
    fees: FeeTerms,
  ): { readonly unsigned: UnsignedTx; readonly operationHash: string };
  /** The gas and the prices of a sponsor's transaction, as read from its bytes. */
  sponsoredFeesIn(unsignedBytesHex: string): FeeTerms;
  /**
   * The sponsor's transaction with the sender's signatures instead of placeholders. The first signature is the signature of the
   * operation. If the transaction has an authorization, the second signature is the signature of the authorization. Throws
   * unless the sender made every signature.
   */
  completeSponsored(unsigned: UnsignedTx, signatures: readonly Signature[]): UnsignedTx;
  /** Throws unless `from` made the signature and `s` is in the lower half of its range. */
  attach(unsigned: UnsignedTx, signature: Signature, from: string): SignedTx;
}

/**
 * Reads the bytes that `EvmCodec` built. The decoder shares no code with the codec, so that one fault or one bad library cannot
 * both build wrong bytes and approve these bytes.
 */
export interface EvmDecoder {
  readonly family: 'evm';
  /** Reads a transfer. Never throws: for unreadable bytes, the result has a non-empty `opaque`. */
  decode(unsignedBytesHex: string): DecodedTx;
  /** Like `decode`, for a raw transaction of any type. */
  decodeCall(unsignedBytesHex: string): DecodedCall;
  /** Like `decode`, for a transaction in which a sponsor executes another account's operation. */
  decodeSponsored(unsignedBytesHex: string): DecodedSponsored;
  /** The digest that the key signs, computed from the unsigned bytes. */
  digestOf(unsignedBytesHex: string): Uint8Array;
  addressOf(publicKeyHex: string): string;
  sameAddress(a: string, b: string): boolean;
}

export interface EvmReader extends ReaderBase {
  readonly family: 'evm';
  tokenBalance(contract: string, address: string): Promise<bigint>;
  /** The decimals and symbol of an ERC-20 token; undefined without readable decimals. An unreadable symbol is omitted. */
  tokenMetadata(contract: string): Promise<{ symbol?: string; decimals: number } | undefined>;
  /** The symbol and the owner of an ERC-721 token; undefined if no such contract or no such token exists. */
  collectible(contract: string, tokenId: string): Promise<{ symbol?: string; owner: string } | undefined>;
  /**
   * The handle of an account's encrypted balance in an ERC-7984 token. Undefined if no such contract exists, and null for an
   * account that has never received any of the token.
   */
  confidentialBalance(contract: string, address: string): Promise<string | null | undefined>;
  /**
   * The balance that pays fees, in the unit of fees. Without `feeCurrency` this is the native balance, or the balance of the
   * fee token on a network without a native coin.
   */
  feeBalance(address: string, feeCurrency?: string): Promise<bigint>;
  /** Market prices in the native coin, or in one of Celo's fee currencies. */
  feeEstimates(feeCurrency?: string): Promise<FeeEstimates>;
  /**
   * The estimated fee in wei that the network charges for the data of the smallest transaction; 0 if the network charges no fee
   * for data. The estimate is at most twelve seconds old.
   */
  leastDataFee(): Promise<bigint>;
  /** The account's next nonce under a nonce key of Tempo. The key must not be 0, which stands for the account's own nonce. */
  keyedCount(address: string, nonceKey: bigint): Promise<number>;
  hasCode(address: string): Promise<boolean>;
  /** Tells whether the contracts for sponsored operations exist on the network. */
  hasSponsoring(): Promise<boolean>;
  /**
   * Throws `TransferWouldFail` if a call would revert, if the sender runs other code than `DELEGATE`, or if the sponsor cannot
   * pay.
   */
  sponsoredFees(
    sponsored: Pick<Sponsored, 'sponsor'> & Pick<UserOperation, 'sender' | 'calls' | 'nonce'>,
    priority: FeePriority,
  ): Promise<SponsoredFees>;
  /**
   * The contract's result for the call data. Throws `CallReverted` with the contract's reason, or `InvalidRequest` with the
   * path `at` for an address without a contract.
   */
  call(contract: string, dataHex: string, at: string): Promise<string>;
  transactionCount(address: string, at: 'latest' | 'pending'): Promise<number>;
  /** Throws `TransferWouldFail` when the network reports that the transfer would revert or cannot be paid. */
  feeTerms(intent: TransferIntent, priority: FeePriority, form?: EvmTransferForm): Promise<FeeTerms>;
  /**
   * Like `feeTerms`, for a raw transaction: this method keeps the requested members and fills in the rest. If a gas limit is
   * requested, nothing is simulated, because the transaction may depend on another transaction that is not mined yet.
   */
  callFees(from: string, terms: EvmTerms): Promise<FeeTerms>;
}

export type EvmTypes = {
  readonly network: EvmNetwork;
  readonly codec: EvmCodec;
  readonly decoder: EvmDecoder;
  readonly reader: EvmReader;
};
