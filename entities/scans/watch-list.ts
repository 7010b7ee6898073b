import { Pool, Query } from 'pg';
import type { NetworkName } from '../../domain/networks';

export type Watched = { readonly orgId: string; readonly subjectId: string; readonly address: string };
export type LoadedAddress = Watched & { readonly isLive: boolean; readonly addedMs: number };

export type WatchList = {
  /**
   * Calls `onAddress` with each active address of all organisations. With `since`, which an earlier call returned, calls it only
   * with the addresses that the earlier call may have missed because their transaction was still open. Returns the value of
   * `since` for the next call.
   */
  readonly load: (
    network: NetworkName,
    since: string | undefined,
    onAddress: (address: LoadedAddress) => void,
  ) => Promise<string>;
  readonly holdersOf: (network: NetworkName, addresses: readonly string[]) => Promise<readonly Watched[]>;
  /** The organisations with coins that these transactions created. */
  readonly organizationsWithCoins: (network: NetworkName, txids: readonly string[]) => Promise<readonly string[]>;
  /** The organisations with movements or other events that are not confirmed yet, up to this height. */
  readonly organizationsWithIncluded: (network: NetworkName, upToHeight: number) => Promise<readonly string[]>;
  /** The organisations with movements or other events in blocks from this height on. `since` is before the first of these blocks. */
  readonly organizationsFrom: (network: NetworkName, fromHeight: number, since: Date) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const CONNECTIONS_MAX = 2;

/** The relay role sees the addresses of all organisations, but neither the amounts nor the counterparties of movements (S15). */
export function openWatchList(relayUrl: string): WatchList {
  const relay = new Pool({ connectionString: relayUrl, max: CONNECTIONS_MAX, application_name: 'strongroom-scanner' });
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  relay.on('error', () => undefined);
  const organizations = async (sql: string, values: readonly unknown[]) =>
    (await relay.query<{ orgId: string }>(sql, [...values])).rows.map(({ orgId }) => orgId);
  return {
    load: async (network, since, onAddress) => {
      let next = since ?? '0';
      // The mark and the rows come from one snapshot, because one statement reads both. A row that the snapshot does not contain
      // belongs to a transaction at or above the mark, so the next call finds the row. The row without an address contains the
      // mark.
      await eachRow<Omit<LoadedAddress, 'address'> & { readonly next: string; readonly address: string | null }>(
        relay,
        `SELECT mark.next, org_id AS "orgId", subject_id AS "subjectId", address, live_from IS NOT NULL AS "isLive",
           floor(extract(epoch FROM date_added) * 1000)::float8 AS "addedMs"
         FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS next) AS mark
         LEFT JOIN watched_addresses ON network = $1 AND since_xid >= $2::xid8 AND is_active`,
        [network, next],
        ({ next: mark, address, ...others }) => {
          next = mark;
          if (address !== null) onAddress({ ...others, address });
        },
      );
      return next;
    },
    holdersOf: async (network, addresses) => {
      const { rows } = await relay.query<Watched>(
        `SELECT org_id AS "orgId", subject_id AS "subjectId", address FROM watched_addresses
         WHERE network = $1 AND address = ANY($2) AND is_active ORDER BY org_id, subject_id`,
        [network, addresses],
      );
      return rows;
    },
    organizationsWithCoins: (network, txids) =>
      organizations('SELECT DISTINCT org_id AS "orgId" FROM received_coins WHERE network = $1 AND txid = ANY($2)', [
        network,
        txids,
      ]),
    organizationsWithIncluded: (network, upToHeight) =>
      organizations(
        `SELECT org_id AS "orgId" FROM movements WHERE network = $1 AND block_height <= $2 AND status = 'Included'
         UNION SELECT org_id FROM contract_events WHERE network = $1 AND block_height <= $2 AND status = 'Included'`,
        [network, upToHeight],
      ),
    organizationsFrom: (network, fromHeight, since) =>
      organizations(
        `SELECT org_id AS "orgId" FROM movements
         WHERE network = $1 AND block_height >= $2 AND date_mined >= $3 AND status <> 'Withdrawn'
         UNION SELECT org_id FROM contract_events
         WHERE network = $1 AND block_height >= $2 AND date_mined >= $3 AND status <> 'Withdrawn'`,
        [network, fromHeight, since],
      ),
    close: () => relay.end(),
  };
}

/** Passes each row on as it arrives. A million rows together would need more than a gigabyte. */
async function eachRow<Row>(pool: Pool, text: string, values: string[], onRow: (row: Row) => void): Promise<void> {
  const client = await pool.connect();
  let fault: Error | undefined;
  const note = (error: Error) => {
    fault ??= error;
  };
  client.on('error', note);
  try {
    await new Promise<void>((resolve, reject) => {
      const query = client.query(new Query(text, values));
      query.on('row', (row: Row) => {
        // The driver calls this from a socket's listener, where an exception would end the process.
        try {
          onRow(row);
        } catch (error) {
          note(error instanceof Error ? error : new Error(String(error)));
        }
      });
      query.on('end', () => (fault ? reject(fault) : resolve()));
      query.on('error', (error) => {
        note(error);
        reject(error);
      });
    });
  } finally {
    client.off('error', note);
    client.release(fault);
  }
}
