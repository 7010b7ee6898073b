import { z } from 'zod';

const Entry = z.union([z.string(), z.strictObject({ types: z.string() })]);
export type ImportEntry = z.infer<typeof Entry>;

/** The table of `boundaries.cjs`, in the order of the file. */
export const IMPORT_TABLE = z.record(z.string(), z.array(Entry)).parse(require('../../boundaries.cjs'));

/** The folders that hold our source, without the tests. */
export const SOURCE_FOLDERS: readonly string[] = Object.keys(IMPORT_TABLE);
const NEVER_SHIPS = ['local', 'drill', 'bench', 'red-team'];
export const SHIPPED_FOLDERS: readonly string[] = SOURCE_FOLDERS.filter((folder) => !NEVER_SHIPS.includes(folder));

const spell = (entry: ImportEntry): string => {
  if (typeof entry === 'object') return `types of ${entry.types}`;
  return entry.endsWith('.ts') ? `\`${entry}\`` : entry;
};

/** One row of the table as the READMEs print it. */
export function spellImports(entries: readonly ImportEntry[]): string {
  return entries.length === 0 ? 'nothing' : entries.map(spell).join(', ');
}
