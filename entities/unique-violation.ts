const UNIQUE_VIOLATION = '23505';

/** The name of the unique index in a Postgres error; undefined for every other error. */
export function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}
