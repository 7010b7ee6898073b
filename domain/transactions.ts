import { AppError } from './errors';
import type { Family } from './networks';

/** The types that most EVM networks accept: legacy with its chain id (EIP-155), EIP-2930, EIP-1559, EIP-7702. */
export const EVM_TRANSACTION_TYPES = [0, 1, 2, 4] as const;
/** Types 118 and 123 exist only on a few networks. */
export type EvmTransactionType = (typeof EVM_TRANSACTION_TYPES)[number] | 118 | 123;

export type EvmAccess = { readonly address: string; readonly storageKeys: readonly string[] };

/** A signed EIP-7702 authorization; `chainId` 0 means every chain. `r` and `s` are 32 bytes each as 0x-hex. */
export type EvmAuthorization = {
  readonly chainId: number;
  readonly address: string;
  readonly nonce: number;
  readonly yParity: 0 | 1;
  readonly r: string;
  readonly s: string;
};

/** A raw transaction without its nonce and price. Addresses are canonical (EIP-55), and other bytes are lower-case hex. */
export type EvmCall = {
  readonly type: EvmTransactionType;
  readonly to: string;
  readonly valueUnits: string;
  readonly dataHex: string;
  readonly accessList: readonly EvmAccess[];
  readonly authorizationList: readonly EvmAuthorization[];
  /** Type 123 only: the token that pays the fee. Prices are then in units of this token. */
  readonly feeCurrency?: string;
  /**
   * Type 118 only, as digits: the nonce key, which selects one of the sender's nonce sequences. `0` selects the account's own
   * nonces.
   */
  readonly nonceKey?: string;
};

/**
 * Members that the request leaves open are null. Prices are in wei per gas; for types 0 and 1, `maxFeePerGas` contains the gas
 * price.
 */
export type EvmTerms = {
  readonly family?: 'evm';
  readonly call: EvmCall;
  readonly nonce: number | null;
  readonly gas: string | null;
  readonly maxFeePerGas: string | null;
  readonly maxPriorityFeePerGas: string | null;
  /** Nonces that the sender's own authorizations use up, in addition to the nonce of the transaction. */
  readonly ownNonces: readonly number[];
};

/**
 * The bytes of the message are 0x-hex. A message without a durable nonce contains zeros in place of the blockhash. If the
 * requested `blockhash` is null, the service fills in a blockhash before signing.
 */
export type SolanaRawTerms = {
  readonly family: 'solana';
  readonly call: { readonly messageHex: string };
  readonly blockhash: string | null;
};

/** A PSBT as 0x-hex, approved byte by byte. */
export type UtxoRawTerms = { readonly family: 'utxo'; readonly call: { readonly psbtHex: string } };

/** Addresses are canonical, and other bytes are lower-case hex. */
export type UserCall = { readonly to: string; readonly valueUnits: string; readonly dataHex: string };

/**
 * Calls that an account on an EVM network makes together, either all or none, while a sponsor pays the fee. `tokens` lists the
 * called contracts that are known to be tokens. A call of any other contract may do something else even if the call looks like a
 * transfer.
 */
export type UserOperationTerms = {
  readonly family: 'evm-operation';
  readonly call: readonly UserCall[];
  readonly tokens: readonly string[];
};
export const USER_OPERATIONS_MAX = 64;

type TermsOf = {
  readonly evm: EvmTerms | UserOperationTerms;
  readonly solana: SolanaRawTerms;
  readonly utxo: UtxoRawTerms;
};
/** `call` is the approved part, which the request's `callDigest` covers. The service may fill in other members later. */
export type TransactionTerms = TermsOf[Family];
type TermsKind = NonNullable<TransactionTerms['family']>;

/** Rows of the first releases have no `family`, because those releases had only EVM transactions. */
const kindOf = ({ family = 'evm' }: TransactionTerms): TermsKind => family;

/**
 * `said` is the text for error messages. `several` names the parts of the transaction, if each part may have its own recipient.
 */
const KINDS: Readonly<Record<TermsKind, { readonly said: string; readonly several?: 'Outputs' | 'Calls' }>> = {
  evm: { said: 'EVM networks' },
  'evm-operation': { said: 'EVM networks', several: 'Calls' },
  solana: { said: 'Solana' },
  utxo: { said: 'the Bitcoin family', several: 'Outputs' },
};

/**
 * The name of the parts that may have recipients of their own; undefined for a transaction without such parts, and for a single
 * call.
 */
export function severalIn(terms: TransactionTerms | null): 'Outputs' | 'Calls' | undefined {
  if (terms === null || (Array.isArray(terms.call) && terms.call.length < 2)) return undefined;
  return KINDS[kindOf(terms)].several;
}

type TermsOfKind<Kind extends TermsKind> = Extract<TransactionTerms, { readonly family?: Kind }>;

const isOfKind = <Kind extends TermsKind>(kind: Kind, terms: TransactionTerms): terms is TermsOfKind<Kind> =>
  kindOf(terms) === kind;

/** Throws `AssetNotSupported` if the transaction belongs to a different family. */
export const termsOfFamily =
  <Kind extends TermsKind>(kind: Kind) =>
  (terms: TransactionTerms): TermsOfKind<Kind> => {
    if (isOfKind(kind, terms)) return terms;
    throw new AppError('AssetNotSupported', `A transaction of ${KINDS[kind].said} is required here`);
  };

export const evmTerms = termsOfFamily('evm');
export const solanaTerms = termsOfFamily('solana');
export const utxoTerms = termsOfFamily('utxo');
