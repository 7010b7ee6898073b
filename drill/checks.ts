import { Client, Connection } from '@temporalio/client';
import { amendmentsOf } from '../workflows/amendments.messages';
import { AMOUNT_UNITS, type Cell } from './cases';
import { type Charters, charterFaults, readCharters } from './charter-checks';
import { differs } from './differs';
import { vaultFaults } from './fleets/vault-checks';
import { readVaults, type VaultRecords } from './fleets/vault-records';
import { isCharterStory, isTenantStory, isVaultStory, type TransferStory } from './kill-points';
import { coinNode, takeOverFaults } from './left-coins';
import type { Stage } from './rig';
import { journalOf } from './signer-journal';
import { tenantFaults } from './tenants/tenant-checks';

/** The required end. `kinds` are the events, sorted by version and then by name. */
type End = { readonly state: string; readonly kinds: readonly string[]; readonly sent: boolean };

const triggered = 'policy.triggered';
const requested = 'wallet.transfer.requested';
const resolved = 'policy.activity.resolved';
const sent = ['wallet.transfer.broadcasted', 'wallet.transfer.confirmed'];
const CONFIRMED: End = { state: 'Confirmed', kinds: [requested, ...sent], sent: true };
const HELD: End = { ...CONFIRMED, kinds: [triggered, requested, resolved, ...sent] };
const REJECTED: End = { state: 'Rejected', kinds: [triggered, requested, resolved, 'wallet.transfer.rejected'], sent: false };
const FAILED: End = { state: 'Failed', kinds: [requested, 'wallet.transfer.failed'], sent: false };
const ENDS: Readonly<Record<TransferStory, End>> = {
  paid: CONFIRMED,
  held: HELD,
  carried: HELD,
  redelivered: CONFIRMED,
  left: CONFIRMED,
  copied: CONFIRMED,
  denied: REJECTED,
  expired: REJECTED,
  unwelcome: FAILED,
  broken: FAILED,
};

/** The status of a payment's movement, and the versions and kinds of the movement's events. */
const MOVED = 'Confirmed 1 wallet.blockchain_event.transfer.included, 2 wallet.blockchainevent.detected';

const isLeft = ({ point }: Cell): boolean => point.story === 'left';

const TEMPORAL_LIMIT_MS = 10_000;

type TransferRow = { readonly id: string; readonly key: string; readonly state: string; readonly approval: string | null };
type EventRow = { readonly id: string; readonly aggregate: string; readonly version: number; readonly kind: string };
type Counted = { readonly id: string; readonly state: string };

type Findings = {
  readonly transfers: readonly TransferRow[];
  readonly wallets: readonly { readonly id: string; readonly key: string; readonly status: string; readonly keyId: string }[];
  readonly charters: Charters;
  readonly vaults: VaultRecords;
  readonly movements: readonly { readonly id: string; readonly orgId: string }[];
  readonly payloads: readonly Counted[];
  readonly claims: readonly Counted[];
  readonly events: readonly EventRow[];
  /** The position of each event's first delivery in the order of arrival. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Records with an event that has an open delivery attempt or no successful attempt. */
  readonly undelivered: readonly string[];
  readonly unrelayed: readonly string[];
};

/**
 * The differences from the required state for each cell; none if the cell has passed. Throws if a part of the service is down.
 */
export async function faultsOf(stage: Stage, cells: readonly Cell[]): Promise<ReadonlyMap<Cell, readonly string[]>> {
  const found = await look(stage, cells);
  const connection = await Connection.connect({
    address: `127.0.0.1:${stage.place().ports['temporal']}`,
    connectTimeout: TEMPORAL_LIMIT_MS,
  });
  try {
    const temporal = new Client({ connection });
    const faultsOfCell = async (cell: Cell): Promise<readonly string[]> => {
      const { point, tenant } = cell;
      const { story } = point;
      if (isTenantStory(story)) {
        if (!tenant) return ['it has no organisation'];
        const own = found.movements.filter(({ orgId }) => orgId === tenant.orgId).map(({ id }) => id);
        return [...(await tenantFaults(stage, cell, tenant)), ...recordFaults(found, own)];
      }
      if (isCharterStory(story)) {
        const ids = found.charters.amendments.filter(({ orgId }) => orgId === cell.office?.orgId).map(({ id }) => id);
        const workflows = ids.length > 0 ? await workflowFault(temporal, amendmentsOf(cell.office?.orgId ?? '')) : [];
        return [...(await charterFaults(stage, found.charters, cell)), ...recordFaults(found, ids), ...workflows];
      }
      const isWallet = story === 'wallet' || story === 'founded';
      const own = isWallet ? walletFaults(found, cell) : await transferFaults(stage, found, cell, ENDS[story]);
      const rows = [...found.transfers, ...found.wallets].filter(({ key }) => key === cell.key);
      const offline = isVaultStory(story) ? await vaultFaults(found.vaults, cell, isWallet ? undefined : rows[0]?.id) : [];
      const groups = cell.carried ? [cell.carried.groupId] : [];
      const workflows = await Promise.all([...rows.map(({ id }) => id), ...groups].map((id) => workflowFault(temporal, id)));
      return [...own, ...offline, ...recordFaults(found, [...rows.flatMap(recordsOf), ...groups]), ...workflows.flat()];
    };
    // If one cell cannot be checked, the differences of the other cells are still reported.
    const checked = (cell: Cell) => faultsOfCell(cell).catch((error: unknown) => [`it could not be checked: ${String(error)}`]);
    const [left, others] = [cells.filter(isLeft), cells.filter((cell) => !isLeft(cell))];
    const faults = new Map(await Promise.all(others.map(async (cell) => [cell, await checked(cell)] as const)));
    // The Bitcoin node scans its coins for one caller at a time, and refuses all other callers.
    for (const cell of left) faults.set(cell, await checked(cell));
    return faults;
  } finally {
    await connection.close();
  }
}

async function look(stage: Stage, cells: readonly Cell[]): Promise<Findings> {
  const keys = cells.map(({ key }) => key);
  const transfers = await stage.sql<TransferRow>(
    'SELECT id, external_id AS key, state, approval_id AS approval FROM transfers WHERE external_id = ANY($1)',
    [keys],
  );
  const wallets = await stage.sql<Findings['wallets'][number]>(
    'SELECT id, external_id AS key, status, key_id AS "keyId" FROM wallets WHERE external_id = ANY($1)',
    [keys],
  );
  const ids = transfers.map(({ id }) => id);
  const orgIds = cells.flatMap(({ office }) => office?.orgId ?? []);
  const charters = await readCharters(stage, orgIds);
  const tenantIds = cells.flatMap(({ tenant }) => tenant?.orgId ?? []);
  const movements = await stage.sql<Findings['movements'][number]>(
    'SELECT id, org_id AS "orgId" FROM movements WHERE org_id = ANY($1)',
    [tenantIds],
  );
  const vaults = await readVaults(
    stage,
    cells.flatMap(({ vault }) => vault?.orgId ?? []),
  );
  const others = [...charters.amendments, ...movements, ...vaults.groups].map(({ id }) => id);
  const records = [...[...transfers, ...wallets].flatMap((row) => recordsOf(row)), ...others];
  const of = (table: string) =>
    stage.sql<Counted>(`SELECT transfer_id AS id, state FROM ${table} WHERE transfer_id = ANY($1)`, [ids]);
  const events = await stage.sql<EventRow>(
    `SELECT id, aggregate_id AS aggregate, aggregate_version AS version, kind FROM events WHERE aggregate_id = ANY($1)
     ORDER BY aggregate_version, kind COLLATE "C"`,
    [records],
  );
  const attempts = await stage.sql<{ id: string; event: string; aggregate: string; failed: boolean | null; next: Date | null }>(
    `SELECT w.id, w.event_id AS event, e.aggregate_id AS aggregate, w.delivery_failed AS failed, w.next_attempt_date AS next
     FROM webhook_events w JOIN events e ON e.id = w.event_id WHERE e.aggregate_id = ANY($1)`,
    [records],
  );
  const unrelayed = await stage.sql<{ aggregate: string }>(
    'SELECT aggregate_id AS aggregate FROM outbox WHERE date_relayed IS NULL AND aggregate_id = ANY($1)',
    [[...records, ...attempts.map(({ id }) => id)]],
  );
  const eventOf = new Map(attempts.map(({ id, event }) => [id, event]));
  const arrivals = new Map<string, number>();
  for (const [place, { id }] of stage.receiver.received.entries()) {
    const event = eventOf.get(id);
    if (event !== undefined && !arrivals.has(event)) arrivals.set(event, place);
  }
  const received = new Set(attempts.filter(({ failed }) => failed === false).map(({ event }) => event));
  return {
    transfers,
    wallets,
    charters,
    vaults,
    movements,
    payloads: await of('payloads'),
    claims: await of('claims'),
    events,
    arrivals,
    undelivered: attempts
      .filter(({ failed, event }) => failed === null || !received.has(event))
      .map(({ aggregate }) => aggregate),
    unrelayed: unrelayed.map(({ aggregate }) => aggregate),
  };
}

/** The ids of the record, its approval and its key, whose events and outbox rows are checked together. */
const recordsOf = (row: { readonly id: string; readonly approval?: string | null; readonly keyId?: string }): readonly string[] =>
  [row.id, row.approval, row.keyId].flatMap((id) => id ?? []);

function walletFaults({ wallets }: Findings, { key, wallet }: Cell): readonly string[] {
  const own = wallets.filter((row) => row.key === key);
  const [row] = own;
  if (!row || own.length > 1) return [`${own.length} wallets of this external id`];
  return [
    ...(row.status === 'Active' ? [] : [`the wallet is ${row.status}`]),
    ...(wallet?.id === row.id ? [] : [`its caller received ${wallet?.id ?? 'no id'}`]),
  ];
}

async function transferFaults(stage: Stage, found: Findings, cell: Cell, end: End): Promise<readonly string[]> {
  const { key, point } = cell;
  const own = found.transfers.filter((row) => row.key === key);
  const [row] = own;
  if (!row || own.length > 1) return [`${own.length} transfers of this external id`];
  const states = (rows: readonly Counted[]) => rows.filter(({ id }) => id === row.id).map(({ state }) => state);
  const kinds = found.events.filter(({ aggregate }) => aggregate === row.id).map(({ kind }) => kind);
  return [
    ...differs('state', row.state, end.state),
    ...(point.story === 'left'
      ? [...(await coinFaults(stage, cell)), ...(await takeOverFaults(stage, cell, row.id))]
      : await chainFaults(stage, cell, end.sent)),
    ...(point.story === 'copied' ? copyFaults(stage, row.id) : []),
    ...differs('payloads', states(found.payloads), end.sent ? 'Final' : ''),
    ...differs('claims', states(found.claims), end.sent ? 'Consumed' : ''),
    ...differs('events', kinds, end.kinds),
  ];
}

/** The replica must have the journal of the signer, with one signature for the transfer. */
function copyFaults(stage: Stage, transferId: string): readonly string[] {
  const [journal, copy] = [journalOf(stage), journalOf(stage, 'replica')];
  const signatures = journal.split('\n').filter((line) => line.includes('"kind":"Signed"') && line.includes(`"${transferId}"`));
  return [
    ...differs('signatures in the journal', signatures.length, 1),
    ...(copy === journal ? [] : ['the journal of the replica differs from that of the signer']),
  ];
}

async function chainFaults(stage: Stage, { recipient, wallet }: Cell, isSent: boolean): Promise<readonly string[]> {
  const [count, balance, moved] = await Promise.all([
    stage.rpc('eth_getTransactionCount', [wallet?.address, 'pending']),
    stage.rpc('eth_getBalance', [recipient, 'latest']),
    stage.sql<{ told: string }>(
      `SELECT m.status || ' ' || string_agg(e.aggregate_version || ' ' || e.kind, ', ' ORDER BY e.aggregate_version) AS told
       FROM movements m LEFT JOIN events e ON e.aggregate_id = m.id WHERE m.subject_id = $1 GROUP BY m.id, m.status`,
      [wallet?.id],
    ),
  ]);
  return [
    ...differs(
      'movements',
      moved.map(({ told }) => told),
      isSent ? MOVED : '',
    ),
    ...differs('transactions on the chain', Number(count), isSent ? 1 : 0),
    ...differs('units received', BigInt(String(balance)), isSent ? AMOUNT_UNITS : 0n),
  ];
}

async function coinFaults(stage: Stage, { recipient }: Cell): Promise<readonly string[]> {
  const { paid } = await coinNode(stage).look([], [recipient]);
  return differs('units received, one by one', paid.get(recipient), [AMOUNT_UNITS]);
}

/**
 * Every event must have been delivered, and first deliveries must be in the order of the versions. Every outbox row must be
 * relayed.
 */
function recordFaults(found: Findings, records: readonly string[]): readonly string[] {
  return records.flatMap((record) => {
    const events = found.events.filter(({ aggregate }) => aggregate === record);
    const places = events.map(({ id }) => found.arrivals.get(id));
    const missing = events.filter(({ id }) => !found.arrivals.has(id)).map(({ kind }) => `${kind} was not delivered`);
    const inOrder = events.every(({ version }, index) =>
      events.every((other, place) => other.version <= version || (places[place] ?? 0) > (places[index] ?? 0)),
    );
    return [
      ...(events.length === 0 ? [`no event of ${record}`] : missing),
      ...(missing.length === 0 && !inOrder ? [`the events of ${record} arrived out of order`] : []),
      ...(found.undelivered.includes(record) ? [`an event of ${record} has an open delivery attempt or no successful one`] : []),
      ...(found.unrelayed.includes(record) ? [`the outbox holds a row of ${record}`] : []),
    ];
  });
}

async function workflowFault(temporal: Client, id: string): Promise<readonly string[]> {
  const { status } = await temporal.workflow.getHandle(id).describe();
  return status.name === 'COMPLETED' ? [] : [`the workflow ${id} is ${status.name}`];
}
