import { Pool } from 'pg';
import { openStrongroomDatabase } from '../../entities/data-source';
import { createSecretBox } from '../../platform/secret-box';
import { createWire } from '../wire';
import type { Company } from './company';
import { type OpenedService, ROLES_HELD, type RoleHeld } from './open-service';
import { type Row, type RowWriter, type Run, rowWriter } from './row-writer';
import { createTemporalHands } from './temporal-hands';

const STATEMENT_LIMIT_MS = 10_000;
const REPLY_WITHIN_MS = 10_000;
const CONNECTIONS = 3;

/** Runs each statement for this organisation: anyone with the password may choose the organisation. */
function runAs(url: string, orgId: string) {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS, statement_timeout: STATEMENT_LIMIT_MS });
  pool.on('error', () => undefined);
  const run: Run = async (sql, values = []) => {
    const client = await pool.connect();
    try {
      await client.query(`SELECT set_config('strongroom.org_id', $1, false)`, [orgId]);
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      client.release();
    }
  };
  return { run, end: () => pool.end() };
}

/** All that the attacker has: the roles of API, worker and relay, the data key, the frame key with its socket, and Temporal. */
export async function openHands({ loot, databaseUrl, apiUrl }: OpenedService, { orgId }: Company) {
  const pools = ROLES_HELD.map((role) => [role, runAs(databaseUrl(role), orgId)] as const);
  const db = await openStrongroomDatabase({ url: databaseUrl('worker'), poolMax: 2, applicationName: 'thief' });
  const temporal = createTemporalHands(loot.temporalAddress, 'default', loot.dataKey);
  const wire = createWire(loot.socketPath, loot.authKey, REPLY_WITHIN_MS);
  return {
    ...{ apiUrl, temporal, wire },
    rows: Object.fromEntries(pools.map(([role, { run }]) => [role, rowWriter(run, orgId)])) as Record<RoleHeld, RowWriter>,
    reader: db.read(orgId),
    box: createSecretBox(loot.dataKey, 'user-actions'),
    close: async () => {
      wire.close();
      // Temporal's client might still retry a call, and a closed channel would then end this process.
      await Promise.all([...pools.map(([, { end }]) => end()), db.close()]);
    },
  };
}
export type Hands = Awaited<ReturnType<typeof openHands>>;
