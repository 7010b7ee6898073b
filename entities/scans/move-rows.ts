import type { Tx } from '../database';

type Row = { readonly subjectId: string; readonly id: string; readonly version: number };

/** Gives rows that the transaction has locked another status. Returns the rows with their new version and their former status. */
export async function moveRows<R extends Row>(
  tx: Tx,
  table: 'movements' | 'contract_events',
  rows: readonly R[],
  status: 'Confirmed' | 'Withdrawn',
): Promise<R[]> {
  await tx.query(
    `UPDATE ${table} SET status = $4, version = version + 1
     WHERE org_id = $3 AND (subject_id, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [rows.map(({ subjectId }) => subjectId), rows.map(({ id }) => id), tx.orgId, status],
  );
  return rows.map((row) => ({ ...row, version: row.version + 1 }));
}
