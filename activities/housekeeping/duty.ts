import type { WorkflowStatus, WorkflowStatusOf } from '../../application/dispatch/workflow-status';
import { AppError } from '../../domain/errors';
import type { DutyResult } from '../../domain/housekeeping';
import type { Database, Tx } from '../../entities/database';
import { type HousekeepingStore, type OpenRow, placeOf } from '../../entities/housekeeping/housekeeping.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import type { Logger } from '../../platform/logger';

export type DutyParts = {
  readonly db: Database;
  readonly housekeeping: HousekeepingStore;
  readonly statusOf: WorkflowStatusOf;
  readonly logger: Logger;
  /** Counted from the dispatch of the row. */
  readonly outboxRetentionDays: number;
};

/**
 * The duties that restart workflows or watch approvals skip a row that is younger than this, because a process may be working
 * on it.
 */
export const STRANDED_AFTER_MS = 10 * 60_000;
export const ROWS_MAX = 200;
export const HELD_ROWS_MAX = 1_000;
const TURN_MS = 600_000;
/** Selects the portion of the held rows that the present run checks. */
export const tickNow = (): number => Math.floor(Date.now() / TURN_MS);
const PARALLEL_MAX = 8;

export type CheckedRow<R> = { readonly row: R; readonly standing: Exclude<WorkflowStatus, { kind: 'Running' }> };

export async function stranded<R>(
  rows: readonly R[],
  idOf: (row: R) => string,
  statusOf: WorkflowStatusOf,
): Promise<CheckedRow<R>[]> {
  const found: CheckedRow<R>[] = [];
  for (let from = 0; from < rows.length; from += PARALLEL_MAX) {
    const answers = await Promise.all(
      rows.slice(from, from + PARALLEL_MAX).map(async (row) => ({ row, standing: await statusOf(idOf(row)) })),
    );
    for (const { row, standing } of answers) if (standing.kind !== 'Running') found.push({ row, standing });
  }
  return found;
}

/** True if the signer is unreachable, or too old for the order. The duty then tries all rows again later. */
export const isSignerAway = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'SignerUnavailable' || error.details['reason'] === 'MalformedOrder');

/** After a full page, `next` is the place where the next round continues. */
export function resultOf(rows: readonly OpenRow[], done: number): DutyResult {
  const last = rows.at(-1);
  return { looked: rows.length, done, ...(last && rows.length === ROWS_MAX ? { next: placeOf(last) } : {}) };
}

/** The deduplication key is new, because the first start of the workflow has already used the record's own deduplication key. */
export function startAgain(tx: Tx, aggregateId: string, routing: Dispatch['routing']): Promise<void> {
  return outboxStore.add(tx, {
    kind: 'start',
    aggregateId,
    dedupeKey: `again:${newId('outbox')}`,
    routing: { ...routing, again: 'true' },
  });
}

export const absenceReason = (standing: CheckedRow<unknown>['standing']): string =>
  standing.kind === 'Unknown' ? 'Temporal knows no workflow for it' : `its workflow has ended as ${standing.how}`;

type Restarts = {
  readonly find: HousekeepingStore['pendingChanges'];
  /** Undefined for a record that is no longer open. */
  readonly routingOf: (tx: Tx, id: string) => Promise<Dispatch['routing'] | undefined>;
  /** The name of the record in the log. */
  readonly said: string;
};

export function restartingDuty({ db, statusOf, logger }: DutyParts, { find, routingOf, said }: Restarts) {
  const restart = async ({ row: { orgId, id }, standing }: CheckedRow<OpenRow>): Promise<boolean> => {
    const routing = await db.withOrg(orgId, async (tx) => {
      const found = await routingOf(tx, id);
      if (found) await startAgain(tx, id, found);
      return found;
    });
    if (!routing) return false;
    logger.warn({ orgId, recordId: id, reason: absenceReason(standing) }, `${said} had no workflow: started again`);
    return true;
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    const rows = await find({ after, olderThanMs: STRANDED_AFTER_MS, rowsMax: ROWS_MAX });
    let done = 0;
    for (const lost of await stranded(rows, ({ id }) => id, statusOf)) if (await restart(lost)) done += 1;
    return resultOf(rows, done);
  };
}
