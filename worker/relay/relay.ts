import type { Dispatcher } from '../../application/dispatch/dispatcher';
import type { Deliverer } from '../../application/webhooks/delivery';
import { type Line, openRelayStore, type WaitingRow } from '../../entities/outbox/relay.store';
import type { Logger } from '../../platform/logger';
import { createCarrier, type RelayObserver } from './carry-out';
import { createLeases } from './leases';
import { createLines, type Lines, lineOf } from './lines';
import { createPace, within } from './pace';
import { createPoll } from './poll';

export type Relay = {
  readonly start: () => void;
  /** Finishes rows in progress within a time limit, then releases the shards. */
  readonly stop: () => Promise<void>;
  /** Makes the next poll start at once, because a row may just have been written. */
  readonly nudge: () => void;
  readonly shardsHeld: () => number;
};

type Options = {
  /** The connection of the relay role, which sees only ids and routing. */
  readonly relayUrl: string;
  readonly dispatcher: Dispatcher;
  readonly deliverer: Deliverer;
  readonly logger: Logger;
  /** Unique among all relays that run at the same time. */
  readonly holderId: string;
  readonly leaseTtlMs?: number;
  readonly observer?: RelayObserver | undefined;
};

const LEASE_TTL_MS = 10_000;
const STOP_LIMIT_MS = 8_000;
const POLL_BUSY_MS = 50;
const POLL_IDLE_MS = 250;
/**
 * Starts and signals of workflows (`work`) are short, so a few at a time are enough. An event may wait for a slow receiver, and
 * a waiting event costs only memory.
 */
const BOUNDS = { work: { rowsMax: 500, parallelMax: 32 }, events: { rowsMax: 2_000, parallelMax: 2_000 } } as const;

/**
 * Dispatches every outbox row at least once: the rows of one record in order, and the rows of different records concurrently
 * (P5, P6).
 */
export function createRelay(options: Options): Relay {
  const { relayUrl, dispatcher, deliverer, logger, holderId, leaseTtlMs = LEASE_TTL_MS, observer } = options;
  const store = openRelayStore(relayUrl);
  const pollPace = createPace();
  const leasePace = createPace();
  const loops: Promise<void>[] = [];
  let stopping = false;
  const overtaken = new Set<string>();
  const carry = createCarrier({ store, dispatcher, deliverer, logger, observer });
  const carryOut = async (row: WaitingRow): Promise<boolean> => {
    const isDone = leases.holds(row.shard) && (await carry(row));
    overtaken.add(isDone ? row.id : lineOf(row));
    return isDone;
  };

  const lines: Record<Line, Lines> = {
    work: createLines({ ...BOUNDS.work, carryOut }),
    events: createLines({ ...BOUNDS.events, carryOut }),
  };
  const isBusy = (shard: number) => lines.work.isBusy(shard) || lines.events.isBusy(shard);
  const leases = createLeases({ store, holderId, ttlMs: leaseTtlMs, isBusy });
  const poll = createPoll({ store, holderId, lines, overtaken, logger });

  const pollForever = async (): Promise<void> => {
    let pauseMs = POLL_BUSY_MS;
    while (!stopping) {
      try {
        overtaken.clear();
        pauseMs = (await poll()) > 0 ? POLL_BUSY_MS : Math.min(pauseMs * 2, POLL_IDLE_MS);
      } catch (error) {
        logger.warn({ err: error }, 'the outbox could not be read');
        pauseMs = POLL_IDLE_MS;
      }
      if (!stopping && (await pollPace.pause(pauseMs))) pauseMs = POLL_BUSY_MS;
    }
  };

  const keepLeasesForever = async (): Promise<void> => {
    while (!stopping) {
      try {
        if (await leases.keep()) pollPace.hurry();
      } catch (error) {
        logger.warn({ err: error }, 'the shard leases could not be renewed');
      }
      if (!stopping) await leasePace.pause(leaseTtlMs / 3);
    }
  };

  return {
    start: () => {
      loops.push(keepLeasesForever(), pollForever());
    },
    stop: async () => {
      stopping = true;
      pollPace.hurry();
      leasePace.hurry();
      await Promise.all(loops);
      const drained = Promise.all([lines.work.drain(), lines.events.drain()]).then(() => undefined);
      await within(STOP_LIMIT_MS, drained).catch(() =>
        logger.warn('some deliveries were interrupted; they are repeated under the same ids'),
      );
      await leases.releaseAll().catch((error: unknown) => logger.warn({ err: error }, 'leases not released; they will expire'));
      await store.close();
    },
    nudge: pollPace.hurry,
    shardsHeld: leases.count,
  };
}
