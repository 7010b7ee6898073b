import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { openStrongroomDatabase } from '../entities/data-source';
import type { Database } from '../entities/database';
import { eventStore } from '../entities/events/event.store';
import { newId } from '../platform/ids';
import type { Bench, Figure } from './bench';
import { percentile } from './percentiles';
import { startProgram } from './program';
import type { ReceiverAnswer, ReceiverOrder } from './receiver-process';
import { startStack } from './stack';

const EVENTS_PER_SECOND = 50;
const WINDOW_S = 60;
const LONE_EVENTS = 40;
const LONE_GAP_MS = 2_000;
const FIRST_SEND_P99_MS = 200;
const ARRIVES_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** The time in ms with fractions. All processes on one machine share this clock. */
export const wallClock = () => performance.timeOrigin + performance.now();

/** Measures the time from the commit of an event to its arrival at a receiver that replies at once, with the real worker. */
export const webhooks: Bench = {
  name: 'webhooks',
  run: async ({ size, say }) => {
    const stack = await startStack({ kind: 'embedded', say });
    const receiver = startProgram<ReceiverOrder, ReceiverAnswer>('receiver-process');
    let db: Database | undefined;
    try {
      const { url } = await receiver.ask({ order: 'open' });
      await stack.client('admin').change('POST', '/webhooks', { url, events: ['*'], description: 'bench' }, z.unknown());
      db = await openStrongroomDatabase({
        url: stack.env.worker['DATABASE_URL'] ?? '',
        poolMax: 8,
        applicationName: 'bench-webhooks',
      });
      const send = measured(db, stack.orgId, receiver.ask);
      await send(EVENTS_PER_SECOND * 2, randomGap); // warm-up: connections, plans, compiled code
      const steady = await send(Math.ceil(EVENTS_PER_SECOND * Math.max(3, WINDOW_S * size)), randomGap);
      say(`${steady.length} events at ${EVENTS_PER_SECOND}/s delivered`);
      const lone = await send(Math.ceil(Math.max(3, LONE_EVENTS * size)), () => LONE_GAP_MS);
      return [
        ...figuresOf(`commit to first send at ${EVENTS_PER_SECOND} events/s`, steady, FIRST_SEND_P99_MS),
        ...figuresOf('commit to first send of a lone event', lone, undefined),
      ];
    } finally {
      await db?.close();
      await Promise.all([receiver.stop(), stack.stop()]);
    }
  },
};

/**
 * A random gap, as in a Poisson process. With equal gaps, every event might come at the same moment between two polls of the
 * relay.
 */
const randomGap = () => (-Math.log(randomInt(1, 2 ** 32) / 2 ** 32) * 1_000) / EVENTS_PER_SECOND;

type Receive = (order: ReceiverOrder) => Promise<ReceiverAnswer>;

/** The time in ms from just before an event's COMMIT to its arrival. */
const measured =
  (db: Database, orgId: string, receive: Receive) =>
  async (count: number, gapMs: () => number): Promise<readonly number[]> => {
    const committed = new Map<string, number>();
    const writes: Promise<void>[] = [];
    let next = performance.now();
    for (let at = 0; at < count; at += 1) {
      writes.push(emit(db, orgId, committed));
      next += gapMs();
      await delay(Math.max(0, next - performance.now()));
    }
    await Promise.all(writes);
    const latencies: number[] = [];
    const deadline = performance.now() + ARRIVES_WITHIN_MS;
    while (latencies.length < count) {
      for (const [subject, arrived] of (await receive({ order: 'arrivals' })).arrivals) {
        const since = committed.get(subject);
        if (since !== undefined) latencies.push(arrived - since);
        committed.delete(subject);
      }
      if (performance.now() > deadline) throw new Error(`${committed.size} of ${count} events did not arrive`);
      await delay(LOOK_EVERY_MS);
    }
    return latencies;
  };

async function emit(db: Database, orgId: string, committed: Map<string, number>): Promise<void> {
  const subject = newId('transfer');
  await db.withOrg(orgId, async (tx) => {
    const data = { transferRequest: { subject, filler: 'x'.repeat(700) } };
    await eventStore.emit(tx, { kind: 'wallet.transfer.requested', aggregateId: subject, aggregateVersion: 1, data });
    committed.set(subject, wallClock());
  });
}

function figuresOf(name: string, latencies: readonly number[], p99Max: number | undefined): readonly Figure[] {
  return [
    { name: `${name}, p50`, value: percentile(latencies, 0.5), unit: 'ms' },
    {
      name: `${name}, p99`,
      value: percentile(latencies, 0.99),
      unit: 'ms',
      ...(p99Max === undefined ? {} : { aim: { atMost: p99Max } }),
    },
  ];
}
