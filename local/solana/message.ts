import {
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const ADVANCE_NONCE = [4, 0, 0, 0];

/** Accounts that the message names by their places in a lookup table. */
export type Lookup = { readonly table: Address; readonly writable: readonly number[]; readonly readonly: readonly number[] };

export type Received = {
  readonly transaction: Transaction;
  /** The first of the signatures, which is the id of the transaction. */
  readonly signature: string;
  /** In the order of the signers. */
  readonly signatures: readonly string[];
  /** A blockhash, or the value of a durable nonce. */
  readonly lifetime: string;
  /** The accounts that the message itself lists. */
  readonly accounts: readonly Address[];
  readonly lookups: readonly Lookup[];
  /**
   * `index` counts first the message's own accounts, then the accounts from lookup tables that may change, and then the other
   * accounts from lookup tables.
   */
  readonly roleOf: (index: number) => { readonly signer: boolean; readonly writable: boolean };
  /** The nonce account that the first instruction advances. Undefined if the first instruction does anything else. */
  readonly nonceAccount: Address | undefined;
};

const base58 = getBase58Decoder();

/** Throws for bytes that are not a transaction. */
export function readTransaction(wire: Uint8Array): Received {
  const transaction = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const signatures = Object.values(transaction.signatures).map((one) => (one ? base58.decode(one) : ''));
  return {
    transaction,
    signature: signatures[0] ?? '',
    signatures,
    lifetime: message.lifetimeToken,
    accounts: message.staticAccounts,
    lookups: lookupsOf(message),
    roleOf: (index) => roleIn(message, index),
    nonceAccount: nonceAccountOf(message),
  };
}

type Message = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>;

function lookupsOf(message: Message): Lookup[] {
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : [];
  return lookups.map((one) => ({
    table: one.lookupTableAddress,
    writable: one.writableIndexes,
    readonly: one.readonlyIndexes,
  }));
}

/** Signers come before all other accounts. In each of the two groups, the accounts that may change come first. */
function roleIn(message: Message, index: number) {
  const { header, staticAccounts } = message;
  const { numSignerAccounts: signers, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  const signer = index < signers;
  if (index >= staticAccounts.length) {
    const writable = lookupsOf(message).reduce((total, one) => total + one.writable.length, 0);
    return { signer, writable: index < staticAccounts.length + writable };
  }
  const end = signer ? signers - numReadonlySignerAccounts : staticAccounts.length - numReadonlyNonSignerAccounts;
  return { signer, writable: index < end };
}

function nonceAccountOf(message: Message): Address | undefined {
  if (!('instructions' in message)) return undefined;
  const { instructions, staticAccounts } = message;
  const [first] = instructions;
  if (!first || staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM) return undefined;
  const data = first.data ?? new Uint8Array();
  const advances = data.length === ADVANCE_NONCE.length && ADVANCE_NONCE.every((byte, index) => data[index] === byte);
  return advances ? staticAccounts[first.accountIndices?.[0] ?? -1] : undefined;
}
