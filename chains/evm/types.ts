import type { FeeEstimates } from '../../domain/fees';
import type { EvmCall, EvmTerms, UserCall } from '../../domain/transactions';
import type { AssetKind, EncryptedAmount, FeePriority, TransferAsset } from '../../domain/transfers';
import type { CodecBase, Effect, NetworkBase, ReaderBase, SignedTx, TransferIntent, UnsignedBytes } from '../types';

/** A token in which a transaction may have its fee taken, in place of what pays fees elsewhere on the network. */
export type FeeCurrency = { readonly contract: string; readonly symbol: string };

/** The record of every EVM network. `chainId` is the one of EIP-155, which the node is asked for at the start. */
type EvmRecord = NetworkBase & {
  readonly family: 'evm';
  readonly curve: 'secp256k1';
  readonly scheme: 'ECDSA';
  readonly chainId: number;
  /** Of the tips that recent blocks took, by priority; left out, 10, 50 and 90. */
  readonly tipPercentiles?: Readonly<Record<FeePriority, number>>;
  /** Kinds of assets that other EVM networks move and this one never does. */
  readonly lacks: readonly AssetKind[];
  /**
   * Tokens that a transaction may name to pay its fee, each worth about a dollar. Prices and fees are then counted in units of 10^-18 of it, and the fee
   * ceilings of the network in the same.
   */
  readonly feeCurrencies: readonly FeeCurrency[];
  /** Of those the one in which transfers are to pay; left out, the native coin. */
  readonly feeCurrency?: string;
  /** The operator has named a service that encrypts the amounts of ERC-7984 there. */
  readonly hasConfidentialAmounts?: true;
  /** XDC writes `xdc` in front of the forty digits; both ways to write an address are taken, the one with 0x is kept. */
  readonly addressPrefix?: 'xdc';
};

/** Members that the records of each variant have besides. */
type VariantRecords = {
  readonly ethereum: unknown;
  /** No EIP-1559: transactions are of type 0 or 1, with one price per gas. */
  readonly legacy: unknown;
  /** Charges for the data of a transaction besides its gas (`GasPriceOracle`, https://specs.optimism.io). */
  readonly opStack: unknown;
  /** A transaction may name one of `feeCurrencies` to pay its fee (CIP-64, type 0x7b). */
  readonly celo: unknown;
  /** No native coin: fees are taken in `feeToken`, and transfers are of type 0x76 (https://docs.tempo.xyz). */
  readonly tempo: {
    /** A TIP-20 token. Gas prices and fees are counted in units of 10^-18 dollar, the token in its own decimals. */
    readonly feeToken: { readonly contract: string; readonly decimals: number };
    /**
     * Accounts count a nonce apart for every key of 32 bytes (`nonceKey`). The service uses so many keys from 1 on beside the account's own nonce, each for
     * one transaction at a time, so that a stalled one holds back no other.
     */
    readonly nonceKeys: number;
  };
};

/** The rules that the transactions, fees and lanes of a network follow: `variants.ts` has them as slots, `decoder-variants.ts` those of the decoder. */
export type EvmVariant = keyof VariantRecords;
export type EvmNetworkOf<V extends EvmVariant> = {
  readonly [K in V]: EvmRecord & { readonly variant: K } & VariantRecords[K];
}[V];
export type EvmNetwork = EvmNetworkOf<EvmVariant>;

/** Members that a configuration may say in place of the record. */
export type EvmOverrides = Pick<EvmNetwork, 'tipPercentiles' | 'feeCurrency' | 'hasConfidentialAmounts'>;

/** Made by each variant of the record of its own network. */
export type OfEachVariant<Made> = { readonly [V in EvmVariant]: (network: EvmNetworkOf<V>) => Made };

/** Gas is a count, both prices are wei per gas. */
export type FeeTerms = {
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Wei for the data of the transaction besides its gas, where the network takes any. The bytes do not bound it. */
  readonly dataFeeUnits?: bigint;
};

/** Members that a variant leaves open in the bytes of a transfer: the token that pays the fee, and the lane of the sender in which the nonce counts. */
export type EvmTransferForm = { readonly feeCurrency?: string; readonly nonceKey?: bigint };

export type UnsignedTx = UnsignedBytes & { readonly nonce: number };
/** `r` and `s` are 32 bytes each as 0x-hex; `s` is in the lower half. */
export type Signature = { readonly r: string; readonly s: string; readonly recoveryId: 0 | 1 };

/** What unsigned bytes do, as read by code that did not build them. Whatever was not understood is named in `opaque`; such bytes are never signed. */
export type DecodedTx = {
  readonly chainId: number;
  readonly nonce: number;
  readonly recipient: string;
  /** 0 where the bytes do not tell it: `encrypted` stands in its place. */
  readonly amountUnits: bigint;
  readonly encrypted?: EncryptedAmount;
  readonly asset: TransferAsset;
  /** From whom the bytes take a token, where they name it; a token that is one of its kind may be another account's, who allowed it. */
  readonly owner?: string;
  /** The token in whose units the fee is, where it is not the network's own. */
  readonly feeCurrency?: string;
  /** Of the lane in which the nonce counts; left out for the account's own. */
  readonly nonceKey?: bigint;
  readonly maxFeeUnits: bigint;
  readonly opaque: readonly string[];
};

/** What unsigned bytes of any type are, as read by code that did not build them; `opaque` as in `DecodedTx`. */
export type DecodedCall = {
  readonly chainId: number;
  readonly nonce: number;
  readonly nonceKey?: bigint;
  readonly maxFeeUnits: bigint;
  readonly call: EvmCall;
  readonly effect: Effect;
  readonly opaque: readonly string[];
};

/** A sponsor's transaction as read by code that did not build it; `opaque` as in `DecodedTx`. Digests are what the sender signs. */
export type DecodedSponsored = {
  readonly chainId: number;
  /** The sponsor's. */
  readonly nonce: number;
  readonly maxFeeUnits: bigint;
  readonly sponsor: string;
  readonly operation: UserOperation;
  readonly operationDigestHex: string;
  /** Who has signed the operation as the bytes have it; undefined for nobody. */
  readonly operationSigner: string | undefined;
  readonly authorization: { readonly nonce: number; readonly digestHex: string; readonly signer: string | undefined } | null;
  /** What each of its calls moves, in their order. */
  readonly effects: readonly Effect[];
  /** The transfer that the operation is, where it is one call that is one. */
  readonly transfer: DecodedTx | undefined;
  readonly opaque: readonly string[];
};

/** What an account does when somebody hands a signed message to it or to the entry point, as read by code that did not build it. */
export type DecodedSmartAccount = { readonly chainId: number; readonly address: string; readonly calls: readonly UserCall[] };

/** A token that others may take with a signature: `recipient` is who may, `amountUnits` at most how much. */
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
/** An operation of ERC-4337 (entry point 0.8) that costs its sender nothing. `nonce` is the entry point's, both gas limits are counts. */
export type UserOperation = {
  readonly sender: string;
  readonly nonce: bigint;
  readonly calls: readonly UserCall[];
  readonly verificationGas: bigint;
  readonly callGas: bigint;
};

/** An operation that a sponsor sends. The sender delegates to the account's code at `authorizationNonce`, or has done so already. */
export type Sponsored = {
  readonly operation: UserOperation;
  readonly sponsor: string;
  readonly authorizationNonce: number | null;
};
/** Gas and prices of the sponsor's transaction, and the two limits of the operation in it. */
export type SponsoredFees = FeeTerms &
  Pick<UserOperation, 'verificationGas' | 'callGas'> & {
    /** Whether the sender runs the account's code by now. */
    readonly isDelegated: boolean;
  };

/** A parameter of a contract's function as its ABI has it; only tuples have components. */
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
/** By the parameter's name, or by its place where it has none. */
export type FunctionArguments = Readonly<Record<string, unknown>>;

/** Addresses, unsigned bytes, and the signature put into place. */
export interface EvmCodec extends CodecBase {
  readonly family: 'evm';
  build(intent: TransferIntent, nonce: number, fees: FeeTerms, form?: EvmTransferForm): UnsignedTx;
  /**
   * Reads a transaction from its members, or from the hex of its unsigned bytes. `at` is its path in the request: throws `InvalidRequest`
   * that names the field, for what is no transaction of this network or not the sender's.
   */
  termsOf(input: TransactionInput | string, from: string, at: string): EvmTerms;
  effectOf(call: EvmCall): Effect;
  /** Call data. `at` is where `abi` and `calldata` stand in the request: throws `InvalidRequest` that names what does not fit. */
  encodeFunction(abi: AbiFunction, values: FunctionArguments, at: string): string;
  /** The function's answer as JSON: integers as digits, one value as it is, several as a list. Throws `InvalidRequest` for another one's. */
  decodeAnswer(abi: AbiFunction, dataHex: string, at: string): unknown;
  buildCall(call: EvmCall, nonce: number, fees: FeeTerms): UnsignedTx;
  callOf(intent: TransferIntent): UserCall;
  /** Reads the calls of one operation; throws `InvalidRequest` with the path below `at` for what is none, and for one that could hide others. */
  userCallsOf(inputs: readonly UserCallInput[], from: string, at: string): readonly UserCall[];
  /** The sponsor's transaction with stand-ins where the sender's signatures go, and the hash by which the entry point names the operation. */
  buildSponsored(
    sponsored: Sponsored,
    nonce: number,
    fees: FeeTerms,
  ): { readonly unsigned: UnsignedTx; readonly operationHash: string };
  /** Gas and prices of such a transaction, as its bytes say them. */
  sponsoredFeesIn(unsignedBytesHex: string): FeeTerms;
  /** The same with the sender's signatures: the operation's, then the authorization's where there is one. Throws unless both are the sender's. */
  completeSponsored(unsigned: UnsignedTx, signatures: readonly Signature[]): UnsignedTx;
  /** Throws unless the signature is low-S and recovers to `from`. */
  attach(unsigned: UnsignedTx, signature: Signature, from: string): SignedTx;
}

/** The second opinion on bytes: shares no code with `EvmCodec`, so that one fault or one bad library cannot sign for both. */
export interface EvmDecoder {
  readonly family: 'evm';
  /** Never throws on bytes it cannot read: they come back with a non-empty `opaque`. */
  decode(unsignedBytesHex: string): DecodedTx;
  /** The same for a raw transaction of any type; never throws either. */
  decodeCall(unsignedBytesHex: string): DecodedCall;
  /** The same for a transaction by which a sponsor has another account's operation carried out; never throws either. */
  decodeSponsored(unsignedBytesHex: string): DecodedSponsored;
  /** The 32 bytes a signature over these unsigned bytes signs. */
  digestOf(unsignedBytesHex: string): Uint8Array;
  addressOf(publicKeyHex: string): string;
  sameAddress(a: string, b: string): boolean;
}

export interface EvmReader extends ReaderBase {
  readonly family: 'evm';
  tokenBalance(contract: string, address: string): Promise<bigint>;
  /** Undefined when there is no contract with readable decimals; a symbol that cannot be read is left out. */
  tokenMetadata(contract: string): Promise<{ symbol?: string; decimals: number } | undefined>;
  /** Of a token of ERC-721, canonical; undefined when there is no such contract or no such token. */
  collectible(contract: string, tokenId: string): Promise<{ symbol?: string; owner: string } | undefined>;
  /**
   * The name of the ciphertext of what an account holds of a token of ERC-7984; undefined when there is no such contract, null for an account that has
   * never received any.
   */
  confidentialBalance(contract: string, address: string): Promise<string | null | undefined>;
  /** What fees are paid from, in the unit of fees: the native balance, or the fee token's on a network without a native coin. */
  feeBalance(address: string, feeCurrency?: string): Promise<bigint>;
  /** The prices of the market in the native coin, or in a currency of Celo. */
  feeEstimates(feeCurrency?: string): Promise<FeeEstimates>;
  /** Wei that the smallest transaction is reckoned to pay for its data besides its gas; 0 where the network takes none. As of a few seconds ago at most. */
  leastDataFee(): Promise<bigint>;
  /** The next nonce of the sender in a lane of Tempo above 0. */
  keyedCount(address: string, nonceKey: bigint): Promise<number>;
  hasCode(address: string): Promise<boolean>;
  /** Whether the contracts are there by which one account pays for another one's operation. */
  hasSponsoring(): Promise<boolean>;
  /** Throws `TransferWouldFail` when a call would revert, the sender runs other code, or the sponsor cannot pay. */
  sponsoredFees(
    sponsored: Pick<Sponsored, 'sponsor'> & Pick<UserOperation, 'sender' | 'calls' | 'nonce'>,
    priority: FeePriority,
  ): Promise<SponsoredFees>;
  /** What the contract answers to the call data. Throws `CallReverted` with its reason, or `InvalidRequest` at `at` for an address without a contract. */
  call(contract: string, dataHex: string, at: string): Promise<string>;
  transactionCount(address: string, at: 'latest' | 'pending'): Promise<number>;
  /** Throws `TransferWouldFail` when the network says that the transfer would revert or cannot be paid. */
  feeTerms(intent: TransferIntent, priority: FeePriority, form?: EvmTransferForm): Promise<FeeTerms>;
  /**
   * The same for a raw transaction: what was asked for stays, the rest is filled in. With a gas limit given nothing is tried out
   * beforehand, because the transaction may build on one that is not mined yet.
   */
  callFees(from: string, terms: EvmTerms): Promise<FeeTerms>;
}

export type EvmTypes = {
  readonly network: EvmNetwork;
  readonly codec: EvmCodec;
  readonly decoder: EvmDecoder;
  readonly reader: EvmReader;
};
