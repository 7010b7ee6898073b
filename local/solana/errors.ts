import type { FailedTransactionMetadata } from 'litesvm';

/** The error of JSON-RPC: a name, or a name with its details. */
export type TransactionError = string | Readonly<Record<string, unknown>>;

/** The errors that a transfer can cause, by the engine's number. */
const PLAIN: Readonly<Record<number, string>> = {
  0: 'AccountInUse',
  2: 'AccountNotFound',
  3: 'ProgramAccountNotFound',
  4: 'InsufficientFundsForFee',
  5: 'InvalidAccountForFee',
  6: 'AlreadyProcessed',
  7: 'BlockhashNotFound',
  11: 'SignatureFailure',
  13: 'SanitizeFailure',
  21: 'TooManyAccountLocks',
  26: 'InvalidRentPayingAccount',
};
const INSTRUCTION = /index: (\d+), error: (?:InstructionErrorCustom \{ code: (\d+) \}|(\d+|\w+))/;

export function errorOf(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  if (typeof error === 'number') return PLAIN[error] ?? `TransactionError${error}`;
  const text = error.toString();
  const instruction = INSTRUCTION.exec(text);
  if (instruction) {
    const [, index, custom, name] = instruction;
    return { InstructionError: [Number(index), custom === undefined ? `${name}` : { Custom: Number(custom) }] };
  }
  const account = /InsufficientFundsForRent \{ account_index: (\d+) \}/.exec(text);
  return account ? { InsufficientFundsForRent: { account_index: Number(account[1]) } } : text;
}
