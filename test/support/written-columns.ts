import type { Tx } from '../../entities/database';

/** The columns of a table that an INSERT of a copied row may name. Postgres derives the other columns. */
export async function writtenColumns(tx: Tx, table: string): Promise<readonly string[]> {
  const rows = await tx.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}
