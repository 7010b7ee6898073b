import { Pool } from 'pg';
import { SIGNER_SWITCH_NAMES, type SignerSwitch } from '../../domain/signer-switches';
import { CONNECT_TIMEOUT_MS } from '../connect-timeout';
import type { Reader } from '../database';

const STATEMENT_TIMEOUT_MS = 15_000;

export const signerSwitchStore = {
  /** The switches that the signer has last reported as on. Before the first report, all switches are treated as off. */
  async on(reader: Reader): Promise<ReadonlySet<SignerSwitch>> {
    const [row] = await reader.select<{ on: readonly string[] }>('SELECT switched_on AS "on" FROM signer_switches');
    return new Set(SIGNER_SWITCH_NAMES.filter((name) => row?.on.includes(name)));
  },
};

/** Uses the connection of the relay role. */
export type SignerSwitchWriter = {
  readonly write: (on: readonly SignerSwitch[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function openSignerSwitchWriter(relayUrl: string): SignerSwitchWriter {
  const pool = new Pool({
    connectionString: relayUrl,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'strongroom-worker',
  });
  // The pool replaces a connection that breaks while idle.
  pool.on('error', () => undefined);
  return {
    async write(on) {
      await pool.query(
        `INSERT INTO signer_switches (switched_on) VALUES ($1)
         ON CONFLICT (is_only) DO UPDATE SET switched_on = EXCLUDED.switched_on, date_updated = clock_timestamp()
         WHERE signer_switches.switched_on <> EXCLUDED.switched_on`,
        [[...on].sort()],
      );
    },
    close: () => pool.end(),
  };
}
