import type { Dispatcher } from '../../application/dispatch/dispatcher';
import type { Deliverer } from '../../application/webhooks/delivery';
import { invariant } from '../../domain/errors';
import { type Line, openRelayStore, type WaitingRow } from '../../entities/outbox/relay.store';
import type { Logger } from '../../platform/logger';
import { during } from '../../platform/points';
import { contextFrom, inContext } from '../../platform/request-context';
import { inSpan } from '../../platform/spans';
import { createLeases } from './leases';
import { createLines, type Lines, lineOf } from './lines';
import { createPace, within } from './pace';

export type Relay = {
  readonly start: () => void;
  /** Finishes what has begun within a limit and gives the shards back at once. */
  readonly stop: () => Promise<void>;
  /** Says that a row may have been written just now: the next poll comes at once. */
  readonly nudge: () => void;
  readonly shardsHeld: () => number;
};

/** What is told of the rows as they go, for the metrics; it must not throw. */
export type RelayObserver = {
  readonly relayed: (row: WaitingRow) => void;
  readonly putOff: (row: WaitingRow) => void;
};

type Options = {
  /** The relay role's connection: it sees ids and routing only. */
  readonly relayUrl: string;
  readonly dispatcher: Dispatcher;
  readonly deliverer: Deliverer;
  readonly logger: Logger;
  /** Unique among all relays that live at the same time. */
  readonly holderId: string;
  readonly leaseTtlMs?: number;
  readonly observer?: RelayObserver | undefined;
};

const LEASE_TTL_MS = 10_000;
const STOP_LIMIT_MS = 8_000;
const CARRY_OUT_LIMIT_MS = 15_000;
const POLL_BUSY_MS = 50;
const POLL_IDLE_MS = 250;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
const BATCH_ROWS_MAX = 200;
/** Starts and signals are short, so few run at once. An event may wait for slow receivers, and such a one only occupies memory. */
const BOUNDS = { work: { rowsMax: 500, parallelMax: 32 }, events: { rowsMax: 2_000, parallelMax: 2_000 } } as const;

/** Carries every outbox row out at least once: in order within its record, many records side by side (P5, P6). */
export function createRelay(options: Options): Relay {
  const { relayUrl, dispatcher, deliverer, logger, holderId, leaseTtlMs = LEASE_TTL_MS, observer } = options;
  const store = openRelayStore(relayUrl);
  const pollPace = createPace();
  const leasePace = createPace();
  const loops: Promise<void>[] = [];
  let stopping = false;
  /** What was finished or put off since the poll in flight was sent: its answer may still show it. */
  const overtaken = new Set<string>();

  const work = async (row: WaitingRow): Promise<void> => {
    const { orgId, kind, aggregateId, routing } = row;
    if (kind !== 'event') {
      const told = during(routing['signal'] ?? kind, [orgId, aggregateId], () => dispatcher.carryOut(orgId, row));
      return within(CARRY_OUT_LIMIT_MS, told);
    }
    const { eventId } = routing;
    invariant(eventId, 'an event row names its event');
    return during('deliver', [orgId, eventId], () => deliverer.deliver(orgId, eventId));
  };

  const carryOutNow = async (row: WaitingRow): Promise<boolean> => {
    try {
      if (leases.holds(row.shard)) {
        const attributes = { 'strongroom.outbox.kind': row.kind, 'strongroom.outbox.attempts': row.attempts };
        await inSpan({ name: `outbox ${row.kind}`, kind: 'internal', attributes }, () => work(row));
        await store.markRelayed(row);
        overtaken.add(row.id);
        observer?.relayed(row);
        return true;
      }
    } catch (error) {
      observer?.putOff(row);
      logger.warn(
        { err: error, orgId: row.orgId, outboxId: row.id, attempts: row.attempts + 1 },
        'an outbox row waits for another attempt',
      );
      await store
        .putOff(row, Math.min(RETRY_FIRST_MS * 2 ** Math.min(row.attempts, 16), RETRY_MAX_MS))
        .catch((failure: unknown) => logger.warn({ err: failure, outboxId: row.id }, 'the attempt could not be counted'));
    }
    overtaken.add(lineOf(row));
    return false;
  };

  /** In the context of the request that wrote the row. */
  const carryOut = (row: WaitingRow) => inContext(contextFrom(row.routing), () => carryOutNow(row));

  const lines: Record<Line, Lines> = {
    work: createLines({ ...BOUNDS.work, carryOut }),
    events: createLines({ ...BOUNDS.events, carryOut }),
  };
  const isBusy = (shard: number) => lines.work.isBusy(shard) || lines.events.isBusy(shard);
  const leases = createLeases({ store, holderId, ttlMs: leaseTtlMs, isBusy });

  const wakeCallers = (rows: readonly WaitingRow[]): void => {
    store.notify([...new Set(rows.map(({ aggregateId }) => aggregateId))]).catch((error: unknown) => {
      // Whoever waits looks again by itself before long.
      logger.warn({ err: error }, 'waiting callers could not be woken');
    });
  };

  /** The organisation at which the last poll of the line had to stop; empty where it saw all. */
  const stoppedAt: Record<Line, string> = { work: '', events: '' };
  const poll = async (line: Line): Promise<number> => {
    const rowsMax = Math.min(lines[line].room(), BATCH_ROWS_MAX);
    if (rowsMax === 0) return 0;
    const { rows, after } = await store.take(holderId, line, lines[line].heldIds(), rowsMax, stoppedAt[line]);
    stoppedAt[line] = after;
    // Beside the deliveries and not behind them: a slow receiver must not hold up a waiting POST, nor the other way round.
    if (line === 'events' && rows.length > 0) wakeCallers(rows);
    const fresh = rows.filter((row) => !overtaken.has(row.id) && !overtaken.has(lineOf(row)));
    lines[line].add(fresh);
    return fresh.length;
  };

  const pollForever = async (): Promise<void> => {
    let pauseMs = POLL_BUSY_MS;
    while (!stopping) {
      try {
        overtaken.clear();
        const [work, events] = await Promise.all([poll('work'), poll('events')]);
        pauseMs = work + events > 0 ? POLL_BUSY_MS : Math.min(pauseMs * 2, POLL_IDLE_MS);
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
        logger.warn('some deliveries were cut off; they are repeated under the same ids'),
      );
      await leases.releaseAll().catch((error: unknown) => logger.warn({ err: error }, 'the shard leases lapse by themselves'));
      await store.close();
    },
    nudge: pollPace.hurry,
    shardsHeld: leases.count,
  };
}
