import { setTimeout as delay } from 'node:timers/promises';
import type { Cell } from './cases';
import type { Report, Verdict } from './gate-server';
import type { Stage } from './rig';

/** `releaseAll` lets all held records continue. */
export type Gatekeeper = { readonly releaseAll: () => void };

const ASK_AGAIN_MS = 100;
const TOLD = 'tellApprovers:done';

const stepOf = (point: string): string => point.slice(0, point.indexOf(':'));

/** These steps name no organisation. A round has at most one record with such a point on each network. */
const OF_NETWORK: ReadonlySet<string> = new Set(['leaveBlocks', 'removeBlocks']);

/**
 * If an organisation has only one record, the organisation's id identifies the record. At a point of the API, the id of the member
 * who leaves or the id of the offline store identifies the record, because only few transactions of the API name them.
 */
function subjectOf({ office, tenant, vault, wallet, point }: Cell): string | undefined {
  const step = stepOf(point.at);
  if (vault) return step === 'api' ? vault.storeId : vault.orgId;
  if (office) return step === 'api' ? office.leaver.userId : office.orgId;
  if (tenant) return OF_NETWORK.has(step) ? point.network : tenant.orgId;
  // The scanner names wallets only. Other steps touch the same wallet for other records.
  return step === 'recordMovements' ? wallet?.id : undefined;
}

/**
 * These queries turn an id of the service into the record's external id, which the drill has chosen. The prefix selects the
 * query.
 */
const SOURCES: readonly { readonly prefix: string; readonly sql: string }[] = [
  { prefix: 'xfr-', sql: 'SELECT external_id AS key FROM transfers WHERE id = $1' },
  { prefix: 'wa-', sql: 'SELECT external_id AS key FROM wallets WHERE id = $1' },
  { prefix: 'ev-', sql: 'SELECT t.external_id AS key FROM events e JOIN transfers t ON t.id = e.aggregate_id WHERE e.id = $1' },
  {
    prefix: 'whe-',
    sql: `SELECT t.external_id AS key FROM webhook_events w JOIN events e ON e.id = w.event_id
          JOIN transfers t ON t.id = e.aggregate_id WHERE w.id = $1`,
  },
];

/** Until `releaseAll`, the gate holds each process that is at the point of its record. */
export function keepGate(stage: Stage, cells: readonly Cell[]): Gatekeeper {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const known = new Map<string, string | undefined>();
  let open = false;

  const keyOf = async (id: string): Promise<string | undefined> => {
    if (id.startsWith('drill-')) return id;
    const own = cells.find((cell) => subjectOf(cell) === id);
    if (own) return own.key;
    const source = SOURCES.find(({ prefix }) => id.startsWith(prefix));
    if (!source) return undefined;
    if (!known.has(id)) {
      const [row] = await stage.sql<{ key: string | null }>(source.sql, [id]);
      // A missing row may be committed later.
      if (!row) return undefined;
      known.set(id, row.key ?? undefined);
    }
    return known.get(id);
  };

  const cellsOf = async (ids: readonly string[]): Promise<readonly Cell[]> => {
    const found = new Set<Cell>();
    for (const id of ids) {
      const cell = byKey.get((await keyOf(id)) ?? '');
      if (cell) found.add(cell);
    }
    return [...found];
  };

  /** Repeats a query that fails, because otherwise the record would pass its point. */
  const lookUp = async (ids: readonly string[]): Promise<readonly Cell[]> => {
    for (;;) {
      const found = await cellsOf(ids).catch(() => undefined);
      if (found || open) return found ?? [];
      await delay(ASK_AGAIN_MS);
    }
  };

  const isAt = ({ point, phase }: Cell, report: Report): boolean =>
    point.at === report.point && (point.phase === 'any' || point.phase === phase);

  /** If a record is already held, a retry of the same step must not pass the point either. */
  const holds = (cell: Cell, report: Report): boolean =>
    cell.reached ? stepOf(report.point) === stepOf(cell.point.at) : isAt(cell, report);

  const concerns = (report: Report): boolean =>
    cells.some((cell) => holds(cell, report)) ||
    report.point === TOLD ||
    (report.point === 'prepareTransfer:begun' && cells.some(isBroken));

  stage.gate.judgeWith(async (report): Promise<Verdict> => {
    if (!concerns(report)) return 'go';
    const found = await lookUp(report.ids);
    const held = open ? undefined : found.find((cell) => holds(cell, report));
    if (held) {
      held.reached = true;
      if (held.point.launch !== 'queued') await new Promise<void>((resolve) => held.release.push(resolve));
    }
    if (report.point === TOLD) for (const cell of found) cell.isTold = true;
    return report.point === 'prepareTransfer:begun' && found.some(isBroken) ? 'fail' : 'go';
  });

  return {
    releaseAll: () => {
      open = true;
      for (const cell of cells) for (const release of cell.release.splice(0)) release();
    },
  };
}

const isBroken = ({ point }: Cell): boolean => point.story === 'broken';
