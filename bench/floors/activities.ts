import type { Pool } from 'pg';

type Step = { readonly orgId: string; readonly transferId: string };

/** About the size of a transfer's row. */
const BODY = 'x'.repeat(300);

/** `floorTransaction` commits a transaction with a single INSERT. */
export const createFloorActivities = (pool: Pool) => ({
  async floorNothing(_step: Step): Promise<'Ready'> {
    return 'Ready';
  },

  async floorTransaction({ orgId, transferId }: Step): Promise<'Ready'> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('INSERT INTO bench_floor (org_id, transfer_id, body) VALUES ($1, $2, $3)', [orgId, transferId, BODY]);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    return 'Ready';
  },
});

export type FloorActivities = ReturnType<typeof createFloorActivities>;

/** Creates the table into which `floorTransaction` inserts, and gives the worker's role the right to insert. */
export const FLOOR_TABLE = `
  CREATE TABLE IF NOT EXISTS bench_floor (n bigserial PRIMARY KEY, org_id text NOT NULL, transfer_id text NOT NULL, body text NOT NULL);
  GRANT INSERT ON bench_floor TO strongroom_worker;
  GRANT USAGE ON SEQUENCE bench_floor_n_seq TO strongroom_worker`;
