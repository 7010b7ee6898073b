import type { Line, RelayStore, WaitingRow } from '../../entities/outbox/relay.store';
import type { Logger } from '../../platform/logger';
import { type Lines, lineOf } from './lines';

type Services = {
  readonly store: Pick<RelayStore, 'take' | 'notify'>;
  readonly holderId: string;
  readonly lines: Readonly<Record<Line, Lines>>;
  /**
   * The ids of the rows that were relayed since the poll began, and the lines (queues of one record) whose rows were postponed
   * since then. The poll can still return these rows.
   */
  readonly overtaken: ReadonlySet<string>;
  readonly logger: Logger;
};

const BATCH_ROWS_MAX = 200;

/** Returns a function that polls once and returns the number of new rows. */
export function createPoll({ store, holderId, lines, overtaken, logger }: Services): () => Promise<number> {
  /** The organisation at which the last poll stopped; empty if that poll read all rows. */
  const stoppedAt: Record<Line, string> = { work: '', events: '' };

  const wakeCallers = (rows: readonly WaitingRow[]): void => {
    store.notify([...new Set(rows.map(({ aggregateId }) => aggregateId))]).catch((error: unknown) => {
      // A lost wake-up only delays the waiting callers, because the callers also poll.
      logger.warn({ err: error }, 'waiting callers could not be woken');
    });
  };

  const poll = async (line: Line): Promise<number> => {
    const rowsMax = Math.min(lines[line].room(), BATCH_ROWS_MAX);
    if (rowsMax === 0) return 0;
    const { rows, after } = await store.take(holderId, line, lines[line].heldIds(), rowsMax, stoppedAt[line]);
    stoppedAt[line] = after;
    // The wake-ups and the deliveries run concurrently, so that neither delays the other.
    if (line === 'events' && rows.length > 0) wakeCallers(rows);
    const fresh = rows.filter((row) => !overtaken.has(row.id) && !overtaken.has(lineOf(row)));
    lines[line].add(fresh);
    return fresh.length;
  };

  return async () => {
    const [work, events] = await Promise.all([poll('work'), poll('events')]);
    return work + events;
  };
}
