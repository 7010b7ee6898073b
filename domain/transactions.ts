import { AppError } from './errors';

/** The transaction types that most EVM networks take: legacy with its chain id (EIP-155), EIP-2930, EIP-1559, EIP-7702. */
export const EVM_TRANSACTION_TYPES = [0, 1, 2, 4] as const;
/** With those that single networks have besides. */
export type EvmTransactionType = (typeof EVM_TRANSACTION_TYPES)[number] | 118 | 123;

export type EvmAccess = { readonly address: string; readonly storageKeys: readonly string[] };

/** A signed EIP-7702 authorization; `chainId` 0 stands for every chain. `r` and `s` are 32 bytes each as 0x-hex. */
export type EvmAuthorization = {
  readonly chainId: number;
  readonly address: string;
  readonly nonce: number;
  readonly yParity: 0 | 1;
  readonly r: string;
  readonly s: string;
};

/** What a raw transaction does, without its nonce and price. Addresses are canonical (EIP-55), other bytes lower-case hex. */
export type EvmCall = {
  readonly type: EvmTransactionType;
  readonly to: string;
  readonly valueUnits: string;
  readonly dataHex: string;
  readonly accessList: readonly EvmAccess[];
  readonly authorizationList: readonly EvmAuthorization[];
  /** Of type 123 alone: the token that pays the fee, in whose units the prices are then. */
  readonly feeCurrency?: string;
  /** Of type 118 alone, as digits: which of the sender's nonces counts; `0` is the account's own. */
  readonly nonceKey?: string;
};

/**
 * A raw transaction as somebody asked for it. Null is what they left open. Prices are wei per gas; for types 0 and 1 the one gas
 * price stands in `maxFeePerGas`.
 */
export type EvmTerms = {
  readonly family?: 'evm';
  readonly call: EvmCall;
  readonly nonce: number | null;
  readonly gas: string | null;
  readonly maxFeePerGas: string | null;
  readonly maxPriorityFeePerGas: string | null;
  /** Nonces that the sender's own authorizations use up besides the transaction's. */
  readonly ownNonces: readonly number[];
};

/**
 * A raw transaction of Solana as somebody asked for it: the bytes of its message as 0x-hex. Without a durable nonce there are zeros where the
 * blockhash goes, and `blockhash` is the one that was given; null has one filled in when the transaction is signed.
 */
export type SolanaRawTerms = {
  readonly family: 'solana';
  readonly call: { readonly messageHex: string };
  readonly blockhash: string | null;
};

/** The same of the Bitcoin family: a PSBT as 0x-hex, of which every byte was approved. */
export type UtxoRawTerms = { readonly family: 'utxo'; readonly call: { readonly psbtHex: string } };

/** One of several calls that an account makes together. Addresses are canonical, other bytes lower-case hex. */
export type UserCall = { readonly to: string; readonly valueUnits: string; readonly dataHex: string };

/**
 * Calls that an account on an EVM network makes together, all of them or none, while somebody else pays the fee. `tokens` are the contracts among
 * them that were known to be tokens: of anything else a call that looks like a transfer may be none.
 */
export type UserOperationTerms = {
  readonly family: 'evm-operation';
  readonly call: readonly UserCall[];
  readonly tokens: readonly string[];
};
export const USER_OPERATIONS_MAX = 64;

/** What a raw transaction was asked to be. `call` is what is approved, bound by its digest; everything beside it is filled in or may be. */
export type TransactionTerms = EvmTerms | UserOperationTerms | SolanaRawTerms | UtxoRawTerms;

/** Of what a transaction has several that may each have a recipient; undefined where the one of its row is the only one. */
export function severalIn(terms: TransactionTerms | null): 'Outputs' | 'Calls' | undefined {
  if (terms?.family === 'utxo') return 'Outputs';
  return terms?.family === 'evm-operation' && terms.call.length > 1 ? 'Calls' : undefined;
}

/** Throws `AssetNotSupported` for a transaction of a network of another family. */
export function evmTerms(terms: TransactionTerms): EvmTerms {
  if (terms.family === undefined || terms.family === 'evm') return terms;
  throw new AppError('AssetNotSupported', 'This is for transactions of EVM networks');
}

/** The same for Solana. */
export function solanaTerms(terms: TransactionTerms): SolanaRawTerms {
  if (terms.family === 'solana') return terms;
  throw new AppError('AssetNotSupported', 'This is for transactions of Solana');
}

/** The same for the Bitcoin family. */
export function utxoTerms(terms: TransactionTerms): UtxoRawTerms {
  if (terms.family === 'utxo') return terms;
  throw new AppError('AssetNotSupported', 'This is for transactions of the Bitcoin family');
}
