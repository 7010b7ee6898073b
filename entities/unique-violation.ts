const UNIQUE_VIOLATION = '23505';

/** The name of the violated constraint, or an empty text if unknown. Undefined for every error except a unique violation. */
export function violatedIndex(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}
