/** Errors by number (spl-token, `TokenError`). */
const TOKEN_ERRORS: Readonly<Record<number, string>> = {
  1: 'insufficient funds',
  3: 'the account belongs to another mint',
  4: 'the account belongs to another owner',
  17: 'the token account is frozen',
  18: 'the decimals are not those of the mint',
};
const REASON_CHARS_MAX = 300;

type Err = string | Readonly<Record<string, unknown>>;

/**
 * The reason for a failure, as text for people. The node writes the logs, so only known messages of programs are taken from the
 * logs.
 */
export function reasonOf(err: Err, logs: readonly string[]): string {
  if (typeof err === 'string') return NAMES[err] ?? err.slice(0, REASON_CHARS_MAX);
  if ('InsufficientFundsForRent' in err) return NAMES['InsufficientFundsForRent'] ?? '';
  const instruction = err['InstructionError'];
  const detail: unknown = Array.isArray(instruction) ? instruction[1] : undefined;
  const custom = typeof detail === 'object' && detail !== null && 'Custom' in detail ? Number(detail.Custom) : undefined;
  if (custom !== undefined) return wordsOf(custom, logs);
  return (typeof detail === 'string' ? detail : JSON.stringify(err)).slice(0, REASON_CHARS_MAX);
}

const NAMES: Readonly<Record<string, string>> = {
  AccountNotFound: 'the fee payer has no SOL',
  InsufficientFundsForFee: 'the fee payer has too little SOL for the fee',
  InsufficientFundsForRent: 'an account would be left with less SOL than the rent-exempt minimum',
  BlockhashNotFound: 'the blockhash is too old or not known',
};

function wordsOf(custom: number, logs: readonly string[]): string {
  if (logs.some((line) => /Transfer: insufficient lamports/.test(line))) return 'insufficient funds';
  const byToken = logs.some((line) => /Program Token(kegQ|zQdB)\w+ failed/.test(line));
  return (byToken ? TOKEN_ERRORS[custom] : undefined) ?? `a program returned its error ${custom}`;
}
