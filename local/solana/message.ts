import {
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const ADVANCE_NONCE = [4, 0, 0, 0];

export type Received = {
  readonly transaction: Transaction;
  readonly signature: string;
  /** A blockhash, or the value of a durable nonce. */
  readonly lifetime: string;
  readonly accounts: readonly Address[];
  /** The nonce account that the first instruction advances. Undefined if the first instruction does anything else. */
  readonly nonceAccount: Address | undefined;
};

const base58 = getBase58Decoder();

/** Throws for bytes that are not a transaction. */
export function readTransaction(wire: Uint8Array): Received {
  const transaction = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const signature = Object.values(transaction.signatures)[0];
  return {
    transaction,
    signature: signature ? base58.decode(signature) : '',
    lifetime: message.lifetimeToken,
    accounts: message.staticAccounts,
    nonceAccount: nonceAccountOf(message),
  };
}

type Message = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>;

function nonceAccountOf(message: Message): Address | undefined {
  if (!('instructions' in message)) return undefined;
  const { instructions, staticAccounts } = message;
  const [first] = instructions;
  if (!first || staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM) return undefined;
  const data = first.data ?? new Uint8Array();
  const advances = data.length === ADVANCE_NONCE.length && ADVANCE_NONCE.every((byte, index) => data[index] === byte);
  return advances ? staticAccounts[first.accountIndices?.[0] ?? -1] : undefined;
}
