import { escapeLiteral } from 'pg';
import { AppError, invariant } from '../domain/errors';

export type SqlValue = string | number | boolean | null | Date | readonly string[];

/**
 * Writes values into SQL as literals, because a statement that travels with BEGIN and COMMIT in one message cannot carry
 * parameters. Only `$n` of our own text is replaced, in one pass, so a value is never read as SQL or as another place.
 */
export function bindLiterals(sql: string, values: readonly SqlValue[]): string {
  return sql.replace(/\$(\d+)/g, (_place, digits: string) => {
    const index = Number(digits) - 1;
    invariant(index >= 0 && index < values.length, `the statement names $${digits} and has ${values.length} values`);
    return literal(values[index] as SqlValue);
  });
}

function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') {
    invariant(Number.isSafeInteger(value), 'only whole numbers go into SQL');
    return String(value);
  }
  if (value instanceof Date) return `${text(value.toISOString())}::timestamptz`;
  if (typeof value === 'string') return text(value);
  return `ARRAY[${value.map(text).join(', ')}]::text[]`;
}

function text(value: string): string {
  // A zero byte would end the message early: the rest of the statement would be lost.
  if (value.includes('\u0000')) throw new AppError('InvalidRequest', 'Text must not contain a zero character');
  return escapeLiteral(value);
}
