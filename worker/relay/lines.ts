import type { WaitingRow } from '../../entities/outbox/relay.store';

export type Lines = {
  /** Dispatches rows of one record in sequence and rows of different records concurrently. */
  readonly add: (rows: readonly WaitingRow[]) => void;
  readonly heldIds: () => readonly string[];
  readonly isBusy: (shard: number) => boolean;
  /** How many further rows may be added now. */
  readonly room: () => number;
  /** Drops the rows whose dispatch has not begun. Resolves when the dispatch of all other rows has ended. */
  readonly drain: () => Promise<void>;
};

type Options = {
  readonly rowsMax: number;
  readonly parallelMax: number;
  /**
   * Returns false if the row must be retried later. The later rows of its line (the queue of one record) are then dropped and
   * read again.
   */
  readonly carryOut: (row: WaitingRow) => Promise<boolean>;
};

export const lineOf = ({ orgId, aggregateId }: WaitingRow) => `${orgId}/${aggregateId}`;

/** The lines that have waiting rows and no row in progress. Organisations take turns. */
function createTurns() {
  /** The lines of each organisation; the first organisation has the next turn. */
  const ready = new Map<string, string[]>();
  return {
    add: (orgId: string, line: string): void => {
      const waiting = ready.get(orgId);
      if (waiting) waiting.push(line);
      else ready.set(orgId, [line]);
    },
    next: (): string | undefined => {
      for (const [orgId, waiting] of ready) {
        const line = waiting.shift();
        ready.delete(orgId);
        if (waiting.length > 0) ready.set(orgId, waiting);
        return line;
      }
      return undefined;
    },
    clear: () => ready.clear(),
  };
}

/**
 * Keeps the rows that this process has taken and not finished, in one queue per record. Organisations take turns, so that the
 * first row of one organisation does not wait for all rows of another organisation.
 */
export function createLines({ rowsMax, parallelMax, carryOut }: Options): Lines {
  const queues = new Map<string, WaitingRow[]>();
  const turns = createTurns();
  const held = new Map<string, WaitingRow>();
  const running = new Set<Promise<void>>();

  const forget = (rows: readonly WaitingRow[]) => {
    for (const { id } of rows) held.delete(id);
  };

  const step = async (line: string): Promise<void> => {
    const queue = queues.get(line);
    const row = queue?.[0];
    if (!queue || !row) return;
    if (await carryOut(row)) {
      forget([row]);
      queue.shift();
    } else {
      forget(queue.splice(0));
    }
    if (queue.length > 0) turns.add(row.orgId, line);
    else queues.delete(line);
  };

  const pump = (): void => {
    while (running.size < parallelMax) {
      const line = turns.next();
      if (line === undefined) return;
      const run: Promise<void> = step(line).finally(() => {
        running.delete(run);
        pump();
      });
      running.add(run);
    }
  };

  return {
    add: (rows) => {
      for (const row of rows) {
        held.set(row.id, row);
        const line = lineOf(row);
        const queue = queues.get(line);
        if (queue) {
          queue.push(row);
        } else {
          queues.set(line, [row]);
          turns.add(row.orgId, line);
        }
      }
      pump();
    },
    heldIds: () => [...held.keys()],
    isBusy: (shard) => [...held.values()].some((row) => row.shard === shard),
    room: () => rowsMax - held.size,
    drain: async () => {
      turns.clear();
      for (const queue of queues.values()) queue.splice(1);
      await Promise.all(running);
    },
  };
}
