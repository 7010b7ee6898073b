import { Pool } from 'pg';
import { KEY_NETWORKS, type NetworkName } from '../../domain/networks';
import type { TransferState } from '../../domain/transfers';
import { CONNECT_TIMEOUT_MS } from '../connect-timeout';
import { DONE_SIGNATURES, ENDED_TRANSFERS } from '../ended-states';
import { type ChainsOfAll, chainsOver } from './chains-of-all';

/** A row that has been open for too long. */
export type OpenRow = { readonly orgId: string; readonly id: string };
export type DueWallet = OpenRow & { readonly network: NetworkName };
export type DueAddress = OpenRow & { readonly address: string };
export type OpenTransfer = OpenRow & { readonly network: NetworkName; readonly state: TransferState };
/** `firstId` is the id of the delivery's first attempt and of its workflow. */
export type OpenAttempt = OpenRow & { readonly firstId: string; readonly attempt: number; readonly settled: boolean };
export type ClaimFault = OpenRow & {
  readonly transferId: string;
  readonly network: NetworkName;
  readonly transferState: TransferState;
  readonly payloadState: string | null;
  readonly claimState: string | null;
};
export type OutboxLag = { readonly waiting: number; readonly oldestSeconds: number; readonly attemptsMax: number };

/** At most `rowsMax` rows after the position `after`, in the order of `orgId/id`. */
type Page = { readonly after: string | undefined; readonly olderThanMs: number; readonly rowsMax: number };

/**
 * `date` is the column from which the age is measured, and `also` is a further condition. The database itself enforces a minimum
 * age, and refuses to remove younger rows.
 */
const REMOVABLE = {
  user_actions: { date: 'date_expires', also: 'date_consumed IS NULL' },
  webhook_events: { date: 'date_created', also: 'true' },
  mails: { date: 'date_expires', also: 'true' },
  challenges: { date: 'date_expires', also: 'true' },
  one_time_codes: { date: 'date_expires', also: 'true' },
  used_id_tokens: { date: 'date_expires', also: 'true' },
  travel_rule_callbacks: { date: 'date_received', also: 'true' },
  key_requests: { date: 'date_created', also: 'true' },
  outbox: { date: 'date_relayed', also: 'date_relayed IS NOT NULL' },
} as const;
export type RemovableTable = keyof typeof REMOVABLE;

/** One run covers a portion of about `heldMax` held requests. `tick` is the number of the run, derived from the clock. */
type Turn = { readonly tick: number; readonly heldMax: number };

/** Reads the rows of all organisations as the relay role. The role sees only ids, states and dates (S15). */
export type HousekeepingStore = ChainsOfAll & {
  /**
   * A hundred thousand transfers may be held for months, so each run covers only a portion of the held transfers (P12). A held
   * transfer whose approval has been decided is always checked.
   */
  readonly openTransfers: (page: Page & Turn) => Promise<readonly OpenTransfer[]>;
  /** Each run covers only a portion of the held requests, in the same way as for transfers. */
  readonly openSignatures: (page: Page & Turn) => Promise<readonly OpenRow[]>;
  readonly unfinishedWallets: (page: Page) => Promise<readonly OpenRow[]>;
  /** Complete wallets with an address. */
  readonly unattestedWallets: (page: Page) => Promise<readonly OpenRow[]>;
  /** Wallets on these networks with a balance that movements have changed. */
  readonly walletsToRead: (
    networks: readonly NetworkName[],
    after: string | undefined,
    rowsMax: number,
  ) => Promise<readonly DueWallet[]>;
  /**
   * Watched addresses that are due and whose movements after the block `upToHeight` are complete; the address that has been due
   * longest comes first.
   */
  readonly addressesToSweep: (network: NetworkName, upToHeight: number, rowsMax: number) => Promise<readonly DueAddress[]>;
  readonly pendingChanges: (page: Page) => Promise<readonly OpenRow[]>;
  readonly waitingRecoveries: (page: Page) => Promise<readonly OpenRow[]>;
  /** Recoveries that began before the last release of the deployment from a freeze. */
  readonly outdatedRecoveries: (rowsMax: number) => Promise<readonly OpenRow[]>;
  /** Includes released freezes whose release the signer has not confirmed. */
  readonly openFreezes: (page: Page) => Promise<readonly OpenRow[]>;
  readonly openBackfills: (page: Page) => Promise<readonly OpenRow[]>;
  readonly openFleetGroups: (page: Page) => Promise<readonly OpenRow[]>;
  /** One row for each organisation, whose `id` is the id of the workflow. */
  readonly waitingAmendments: (page: Page) => Promise<readonly OpenRow[]>;
  readonly pendingApprovals: (page: Page) => Promise<readonly OpenRow[]>;
  /** Failed attempts whose retry is overdue, and attempts without a result. */
  readonly openAttempts: (page: Page) => Promise<readonly OpenAttempt[]>;
  /** Omits destroyed data keys. */
  readonly dataKeysNotUnder: (kekId: string, after: string | undefined, rowsMax: number) => Promise<readonly OpenRow[]>;
  /** The organisations with keys, in the order of their ids. */
  readonly organizationsWithKeys: (after: string | undefined, rowsMax: number) => Promise<readonly string[]>;
  readonly claimFaults: (rowsMax: number) => Promise<readonly ClaimFault[]>;
  readonly outboxLag: (olderThanMs: number) => Promise<OutboxLag>;
  /** Removes the oldest rows first; returns the number of removed rows. */
  readonly remove: (table: RemovableTable, olderThanMs: number, rowsMax: number) => Promise<number>;
  readonly close: () => Promise<void>;
};

const CONNECTIONS_MAX = 2;
const STATEMENT_TIMEOUT_MS = 15_000;

/** The place of a row in the order of the pages. */
export const placeOf = ({ orgId, id }: OpenRow): string => `${orgId}/${id}`;

const BEHIND = `($1::text IS NULL OR (t.org_id, t.id) > (split_part($1, '/', 1), split_part($1, '/', 2)))`;
/**
 * SQL: no waiting `start` row exists for the record. The relay will still dispatch a waiting `start` row, which starts the
 * workflow of the record.
 */
const NOT_STARTING = `NOT EXISTS (SELECT 1 FROM outbox o
  WHERE o.aggregate_id = t.id AND o.org_id = t.org_id AND o.kind = 'start' AND o.date_relayed IS NULL)`;
/**
 * SQL: a record from before this moment is old enough to check. While the deployment is not frozen, every record from before the
 * last release from a freeze is old enough. A restore may have brought such a record back, and no earlier process still works on
 * it.
 */
const OLD = `greatest(clock_timestamp() - $2 * interval '1 millisecond',
  (SELECT d.date_released FROM deployment d WHERE d.date_frozen IS NULL))`;
/**
 * SQL: the record belongs to the portion of run $4. Records that are not held, or whose approval has been decided, belong to
 * every portion.
 */
const IN_TURN = `(t.state <> 'AwaitingApproval' OR mod(hashtext(t.id) & 2147483647, h.turns) = mod($4::integer, h.turns)
  OR EXISTS (SELECT 1 FROM approvals a WHERE a.org_id = t.org_id AND a.id = t.approval_id AND a.status <> 'Pending'))`;

const openIn = (table: string, condition: string): string =>
  `SELECT t.org_id AS "orgId", t.id FROM ${table} t
   WHERE ${condition} AND t.date_created < ${OLD} AND ${BEHIND} AND ${NOT_STARTING}`;
/** SQL: the wallet is complete, may receive money, and has no attestation. */
const UNATTESTED = `t.status = 'Active' AND t.network <> ALL ('{${Object.keys(KEY_NETWORKS).join(',')}}')
  AND NOT EXISTS (SELECT 1 FROM wallet_attestations a WHERE a.org_id = t.org_id AND a.wallet_id = t.id)`;
const WAITING_AMENDMENTS = `(SELECT org_id, 'amendments-' || org_id AS id, min(date_created) AS date_created
  FROM amendments WHERE status = 'Waiting' GROUP BY org_id)`;
const OPEN_TRANSFERS = `SELECT t.org_id AS "orgId", t.id, t.network, t.state FROM transfers t
  CROSS JOIN (SELECT greatest(1, ceil(count(*)::numeric / $5))::integer AS turns FROM transfers
              WHERE state = 'AwaitingApproval') h
  WHERE t.state NOT IN ${ENDED_TRANSFERS} AND t.date_requested < ${OLD} AND ${BEHIND} AND ${NOT_STARTING}
    AND ${IN_TURN}`;
const OPEN_SIGNATURES = `SELECT t.org_id AS "orgId", t.id FROM signatures t
  CROSS JOIN (SELECT greatest(1, ceil(count(*)::numeric / $5))::integer AS turns FROM signatures
              WHERE state = 'AwaitingApproval') h
  WHERE t.state NOT IN ${DONE_SIGNATURES} AND t.date_requested < ${OLD} AND ${BEHIND}
    AND ${NOT_STARTING} AND ${IN_TURN}`;
const PENDING_APPROVALS = `SELECT t.org_id AS "orgId", t.id FROM approvals t
  WHERE t.status = 'Pending' AND t.date_created < ${OLD} AND ${BEHIND}`;
const OPEN_ATTEMPTS = `SELECT t.org_id AS "orgId", t.id, coalesce(t.retry_of, t.id) AS "firstId", t.delivery_attempt AS attempt,
         t.delivery_failed IS NOT NULL AS settled
  FROM webhook_events t
  WHERE ((t.next_attempt_date < ${OLD} AND t.delivery_failed AND NOT EXISTS (
           SELECT 1 FROM webhook_events n
           WHERE n.org_id = t.org_id AND n.webhook_id = t.webhook_id AND n.event_id = t.event_id
             AND n.delivery_attempt = t.delivery_attempt + 1))
      OR (t.delivery_failed IS NULL AND t.date_created < ${OLD} AND NOT EXISTS (
           SELECT 1 FROM outbox e
           WHERE e.org_id = t.org_id AND e.dedupe_key = t.event_id AND e.date_relayed IS NULL)))
    AND ${BEHIND} AND NOT EXISTS (
      SELECT 1 FROM outbox o
      WHERE o.aggregate_id = coalesce(t.retry_of, t.id) AND o.org_id = t.org_id AND o.kind = 'start'
        AND o.date_relayed IS NULL)`;
const CLAIM_FAULTS = `SELECT t.org_id AS "orgId", coalesce(c.id, t.id) AS id, t.id AS "transferId", t.network, t.state AS "transferState",
         p.state AS "payloadState", c.state AS "claimState"
  FROM transfers t
  LEFT JOIN claims c ON c.org_id = t.org_id AND c.transfer_id = coalesce(t.claims_of, t.id)
  LEFT JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id
  WHERE (t.state IN ('Signing', 'Signed', 'Broadcasted') AND c.state IS DISTINCT FROM 'Signing')
     OR (t.state IN ('Requested', 'AwaitingApproval', 'Approved') AND c.state IS NOT NULL AND t.claims_of IS NULL)
  UNION ALL
  SELECT t.org_id, c.id, t.id, t.network, t.state, p.state, c.state
  FROM claims c
  JOIN transfers t ON t.org_id = c.org_id AND t.id = c.transfer_id AND t.state IN ${ENDED_TRANSFERS}
  LEFT JOIN payloads p ON p.org_id = t.org_id AND p.transfer_id = t.id
  WHERE c.state <> 'Consumed' AND NOT EXISTS (
    SELECT 1 FROM transfers m WHERE m.org_id = t.org_id AND m.claims_of = t.id AND m.state NOT IN ${ENDED_TRANSFERS})
  LIMIT $1`;

const WALLETS_TO_READ = `SELECT DISTINCT t.org_id AS "orgId", t.wallet_id AS id, t.network FROM holdings t
  WHERE t.seen > t.read AND t.network = ANY ($3)
    AND ($1::text IS NULL OR (t.org_id, t.wallet_id) > (split_part($1, '/', 1), split_part($1, '/', 2)))
  ORDER BY t.org_id, t.wallet_id LIMIT $2`;

const ADDRESSES_TO_SWEEP = `SELECT org_id AS "orgId", subject_id AS id, address FROM watched_addresses
  WHERE network = $1 AND is_active AND live_from <= $2::bigint + 1 AND date_sweep_due <= clock_timestamp()
  ORDER BY date_sweep_due, org_id, subject_id LIMIT $3`;

const OUTBOX_LAG = `SELECT count(*)::integer AS waiting, coalesce(max(attempts), 0) AS "attemptsMax",
         coalesce(extract(epoch FROM clock_timestamp() - min(date_created)), 0)::float8 AS "oldestSeconds"
  FROM outbox WHERE date_relayed IS NULL AND date_created < clock_timestamp() - $1 * interval '1 millisecond'`;

const NO_LAG: OutboxLag = { waiting: 0, oldestSeconds: 0, attemptsMax: 0 };

export function openHousekeepingStore(relayUrl: string): HousekeepingStore {
  const pool = new Pool({
    connectionString: relayUrl,
    max: CONNECTIONS_MAX,
    application_name: 'strongroom-housekeeping',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  pool.on('error', () => undefined);
  const rows = async <R extends object>(sql: string, values: readonly unknown[]): Promise<R[]> =>
    (await pool.query<R>(sql, [...values])).rows;
  const page = <R extends object>(sql: string, { after, olderThanMs, rowsMax }: Page, more: readonly number[] = []) =>
    rows<R>(`${sql} ORDER BY t.org_id, t.id LIMIT $3`, [after ?? null, olderThanMs, rowsMax, ...more]);

  return {
    openTransfers: (at) => page(OPEN_TRANSFERS, at, [at.tick, at.heldMax]),
    openSignatures: (at) => page(OPEN_SIGNATURES, at, [at.tick, at.heldMax]),
    unfinishedWallets: (at) => page(openIn('wallets', "t.status = 'Creating'"), at),
    unattestedWallets: (at) => page(openIn('wallets', UNATTESTED), at),
    ...chainsOver(rows),
    walletsToRead: (networks, after, rowsMax) => rows(WALLETS_TO_READ, [after ?? null, rowsMax, networks]),
    addressesToSweep: (network, upToHeight, rowsMax) => rows(ADDRESSES_TO_SWEEP, [network, upToHeight, rowsMax]),
    pendingChanges: (at) => page(openIn('change_requests', "t.status = 'Pending'"), at),
    waitingRecoveries: (at) => page(openIn('recoveries', "t.status = 'Waiting'"), at),
    outdatedRecoveries: (rowsMax) =>
      rows(
        `SELECT t.org_id AS "orgId", t.id FROM recoveries t JOIN deployment d ON d.date_frozen IS NULL AND d.date_released > t.date_created
         WHERE t.status = 'Waiting' ORDER BY t.org_id, t.id LIMIT $1`,
        [rowsMax],
      ),
    openBackfills: (at) => page(openIn('backfills', `t.status = 'Running'`), at),
    openFleetGroups: (at) => page(openIn('fleet_groups', `t.status IN ('Initialized', 'InReview')`), at),
    openFreezes: (at) => page(openIn('freezes', 't.date_signer_released IS NULL'), at),
    waitingAmendments: (at) => page(openIn(WAITING_AMENDMENTS, 'true'), at),
    pendingApprovals: (at) => page(PENDING_APPROVALS, at),
    openAttempts: (at) => page(OPEN_ATTEMPTS, at),
    dataKeysNotUnder: (kekId, after, rowsMax) =>
      rows(
        `SELECT t.org_id AS "orgId", t.id FROM data_keys t WHERE t.state <> 'Destroyed' AND t.kek_id <> $2 AND ${BEHIND}
         ORDER BY t.org_id, t.id LIMIT $3`,
        [after ?? null, kekId, rowsMax],
      ),
    organizationsWithKeys: async (after, rowsMax) => {
      const found = await rows<{ readonly orgId: string }>(
        `SELECT DISTINCT t.org_id AS "orgId" FROM data_keys t WHERE t.state = 'Active' AND t.org_id > $1 ORDER BY 1 LIMIT $2`,
        [after ?? '', rowsMax],
      );
      return found.map(({ orgId }) => orgId);
    },
    claimFaults: (rowsMax) => rows(CLAIM_FAULTS, [rowsMax]),
    outboxLag: async (olderThanMs) => (await rows<OutboxLag>(OUTBOX_LAG, [olderThanMs]))[0] ?? NO_LAG,
    remove: async (table, olderThanMs, rowsMax) => {
      const { date, also } = REMOVABLE[table];
      // Materialized, because Postgres may run a limited subquery once per row of the table.
      const { rowCount } = await pool.query(
        `WITH old AS MATERIALIZED (
           SELECT org_id, id FROM ${table}
           WHERE ${also} AND ${date} < clock_timestamp() - $1 * interval '1 millisecond' ORDER BY ${date} LIMIT $2)
         DELETE FROM ${table} t USING old WHERE t.org_id = old.org_id AND t.id = old.id`,
        [olderThanMs, rowsMax],
      );
      return rowCount ?? 0;
    },
    close: () => pool.end(),
  };
}
