import type { StandingOf, WorkflowStanding } from '../application/workflow-standing';
import type { HouseResult } from '../domain/house';
import type { Database, Tx } from '../entities/database';
import { type HouseStore, type OpenRow, placeOf } from '../entities/house/house.store';
import { type Dispatch, outboxStore } from '../entities/outbox/outbox.store';
import { newId } from '../platform/ids';
import type { Logger } from '../platform/logger';

export type HouseParts = {
  readonly db: Database;
  readonly house: HouseStore;
  readonly standingOf: StandingOf;
  readonly logger: Logger;
  /** How long an outbox row is kept after it was carried out. */
  readonly outboxRetentionDays: number;
};

/** A row that is open for less is left to whoever works on it. */
export const OPEN_FOR_MS = 10 * 60_000;
/** Rows of one round. */
export const ROWS_MAX = 200;
/** Held rows of one round; where more wait, the next rounds look at the others. */
export const HELD_MAX = 1_000;
/** As often as a duty runs that looks at held rows in turns. */
const TURN_MS = 600_000;
/** Which turn it is. */
export const tickNow = (): number => Math.floor(Date.now() / TURN_MS);
/** Questions to Temporal at the same time. */
const PARALLEL_MAX = 8;

export type Asked<R> = { readonly row: R; readonly standing: Exclude<WorkflowStanding, { kind: 'Running' }> };

/** Those of the rows that no workflow works on; a workflow that runs is left alone. */
export async function stranded<R>(rows: readonly R[], idOf: (row: R) => string, standingOf: StandingOf): Promise<Asked<R>[]> {
  const found: Asked<R>[] = [];
  for (let from = 0; from < rows.length; from += PARALLEL_MAX) {
    const answers = await Promise.all(
      rows.slice(from, from + PARALLEL_MAX).map(async (row) => ({ row, standing: await standingOf(idOf(row)) })),
    );
    for (const { row, standing } of answers) if (standing.kind !== 'Running') found.push({ row, standing });
  }
  return found;
}

/** The result of a round over a page of rows: a full page may have more behind it. */
export function resultOf(rows: readonly OpenRow[], done: number): HouseResult {
  const last = rows.at(-1);
  return { looked: rows.length, done, ...(last && rows.length === ROWS_MAX ? { next: placeOf(last) } : {}) };
}

/**
 * Starts the workflow of a record once more, though one of the same id has ended. The key is a new one, because the record's
 * own start was carried out long ago.
 */
export function startAgain(tx: Tx, aggregateId: string, routing: Dispatch['routing']): Promise<void> {
  return outboxStore.add(tx, {
    kind: 'start',
    aggregateId,
    dedupeKey: `again:${newId('outbox')}`,
    routing: { ...routing, again: 'true' },
  });
}

/** How a workflow came to be missing, for the log. */
export const reasonOf = (standing: Asked<unknown>['standing']): string =>
  standing.kind === 'Unknown' ? 'Temporal knows no workflow of it' : `its workflow has ended as ${standing.how}`;
