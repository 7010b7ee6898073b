import { Client } from 'pg';

/** Statements beyond so many are planned each time: every connection keeps a plan of each, and text that is written anew has no second use. */
const NAMES_MAX = 1_000;
const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = `w${names.size + 1}`;
  names.set(text, name);
  return name;
};

/**
 * A connection that names every statement with parameters, so that the server parses it once and keeps its plan, as hot reads do
 * (decision 8). Without row-level security that would be a small matter; with it planning costs more than most statements do.
 */
export class PlannedClient extends Client {
  // What every overload of the library's method accepts; the answer is the library's own.
  override query(...asked: readonly unknown[]): never {
    const [text, values, ...rest] = asked;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(...(asked as [string])) as never;
    return super.query(...([{ name: nameOf(text), text, values }, ...rest] as [never])) as never;
  }
}
