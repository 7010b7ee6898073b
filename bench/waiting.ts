import { setTimeout as delay } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import { temporal as proto } from '@temporalio/proto';
import { Client as PostgresClient } from 'pg';
import { z } from 'zod';
import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { cpuMsOf, memoryBytesOf } from './cpu';
import { temporalClientOf } from './floors/floors';
import { type HeldTransfer, holdEverything } from './held-transfers';
import { percentile } from './percentiles';
import { type Stack, startStack } from './stack';

const APPROVALS = 10_000;
const QUIET_MS = 60_000;
const SETTLE_MS = 5_000;
/** Longer than the time after which Temporal reassigns a lost workflow task, so the second count includes the retries. */
const HISTORIES_SETTLE_MS = 15_000;
const VOTES = 300;
/**
 * Two cores complete three to five transfers per second. Faster votes would make transfers queue, and the bench would measure
 * the queue.
 */
const VOTES_PER_SECOND = 1;
const MOVED_P99_MS = 500;
const MOVES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;
const ASKED_AT_ONCE = 24;
const DESCRIBED_AT_ONCE = 32;
const BYTES_PER_MB = 1_000_000;
const WATCHED = ['worker', 'api', 'temporal', 'postgres'] as const;

/** Measures the cost of ten thousand transfers that wait for people, and the time from a vote until its transfer continues. */
export const waiting: Bench = {
  name: 'waiting',
  run: async ({ size, say }) => {
    const stack = await startStack({ kind: 'embedded', say });
    const temporal = temporalClientOf(stack);
    const postgres = new PostgresClient({ connectionString: stack.superuserUrl });
    try {
      await postgres.connect();
      const quietMs = Math.max(5_000, QUIET_MS * size);
      const total = Math.max(20, Math.round(APPROVALS * size));
      const ask = await holdEverything(stack, [stack.userId('approver')]);
      const before = { memory: memoryOf(stack), cpu: await quietCpu(stack, quietMs) };

      const held: HeldTransfer[] = [];
      const asked = await closedLoop(total, ASKED_AT_ONCE, async (lane) => {
        held.push(await ask(lane));
        if (held.length % 500 === 0) say(`${held.length} of ${total} wait`);
      });
      say(`${total} transfers wait, requested in ${asked.seconds.toFixed(0)} s`);

      const ids = held.map(({ id }) => id);
      const events = await settledEventsOf(temporal, ids);
      const cpu = await quietCpu(stack, quietMs);
      const later = await eventsOf(temporal, ids);
      const grown = sumOf(later) - sumOf(events);
      const types = grown === 0 ? undefined : await grownBy(temporal, events, later);
      const memory = memoryOf(stack);

      const count = Math.min(total, Math.max(10, Math.round(VOTES * size)));
      const answered = await vote(stack, held.slice(0, count));
      const latencies = await movedAfter(postgres, answered);
      return [
        {
          name: `events in ${total} waiting histories during ${quietMs / 1_000} s`,
          value: grown,
          unit: 'count',
          aim: { atMost: 0 },
          ...(types === undefined ? {} : { note: types }),
        },
        { name: 'vote to moved workflow, p50', value: percentile(latencies, 0.5), unit: 'ms' },
        {
          name: 'vote to moved workflow, p99',
          value: percentile(latencies, 0.99),
          unit: 'ms',
          aim: { atMost: MOVED_P99_MS },
          note: 'from the answer to the decision until the workflow has written the outcome',
        },
        { name: `asking for ${total} held transfers`, value: total / asked.seconds, unit: '1/s' },
        ...WATCHED.flatMap((role) => cellsOf(role, 'none', before.memory, before.cpu)),
        ...WATCHED.flatMap((role) => cellsOf(role, String(total), memory, cpu)),
      ];
    } finally {
      await Promise.all([postgres.end(), temporal.connection.close()]);
      await stack.stop();
    }
  },
};

const memoryOf = (stack: Stack) => new Map([...stack.pids()].map(([role, pid]) => [role, memoryBytesOf(pid)] as const));

/** The CPU time of each process in percent of one core, while there are no requests. */
async function quietCpu(stack: Stack, windowMs: number): Promise<ReadonlyMap<string, number>> {
  await delay(SETTLE_MS);
  const before = new Map([...stack.pids()].map(([role, pid]) => [role, cpuMsOf(pid)] as const));
  const started = performance.now();
  await delay(windowMs);
  const passed = performance.now() - started;
  return new Map(
    [...stack.pids()].map(([role, pid]) => [role, (100 * (cpuMsOf(pid) - (before.get(role) ?? 0))) / passed] as const),
  );
}

/** The number of events in the history of each workflow. A workflow task adds three events. */
async function eventsOf({ workflow }: TemporalClient, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const events = new Map<string, number>();
  let at = 0;
  await closedLoop(ids.length, DESCRIBED_AT_ONCE, async () => {
    const id = ids[at++] ?? '';
    events.set(id, (await workflow.getHandle(id).describe()).historyLength);
  });
  return events;
}

const sumOf = (events: ReadonlyMap<string, number>): number => [...events.values()].reduce((sum, count) => sum + count, 0);

/**
 * Counts the events until two counts are equal. Two equal counts mean that no effect of the last requests is still under way.
 */
async function settledEventsOf(temporal: TemporalClient, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  let events = await eventsOf(temporal, ids);
  for (;;) {
    await delay(HISTORIES_SETTLE_MS);
    const again = await eventsOf(temporal, ids);
    if (sumOf(again) === sumOf(events)) return events;
    events = again;
  }
}

/** The types of the new events show why a workflow that should wait was woken. */
async function grownBy({ workflow }: TemporalClient, before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const types = new Map<string, number>();
  for (const [id, count] of after) {
    const had = before.get(id) ?? 0;
    if (count === had) continue;
    const { events } = await workflow.getHandle(id).fetchHistory();
    for (const { eventType } of (events ?? []).slice(had, count)) {
      const name = proto.api.enums.v1.EventType[eventType ?? 0] ?? 'unknown';
      types.set(name, (types.get(name) ?? 0) + 1);
    }
  }
  return [...types].map(([name, count]) => `${count} × ${name}`).join(', ');
}

/** Approves the transfers at a steady pace. Returns the wall-clock time of each response in ms, by transfer. */
async function vote(stack: Stack, held: readonly HeldTransfer[]): Promise<ReadonlyMap<string, number>> {
  const approver = stack.client('approver');
  const answered = new Map<string, number>();
  let next = performance.now();
  for (const { id, approvalId } of held) {
    await approver.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }, z.unknown());
    answered.set(id, Date.now());
    next += 1_000 / VOTES_PER_SECOND;
    await delay(Math.max(0, next - performance.now()));
  }
  return answered;
}

/** The time in ms from each vote until the workflow has written the outcome to its row. */
async function movedAfter(postgres: PostgresClient, answered: ReadonlyMap<string, number>): Promise<readonly number[]> {
  const deadline = performance.now() + MOVES_WITHIN_MS;
  for (;;) {
    const { rows } = await postgres.query<{ id: string; moved: Date }>(
      'SELECT id, date_policy_resolved AS moved FROM transfers WHERE id = ANY ($1) AND date_policy_resolved IS NOT NULL',
      [[...answered.keys()]],
    );
    if (rows.length === answered.size) return rows.map(({ id, moved }) => Math.max(0, moved.getTime() - (answered.get(id) ?? 0)));
    if (performance.now() > deadline) throw new Error(`Only ${rows.length} of ${answered.size} transfers moved after their vote`);
    await delay(LOOK_EVERY_MS);
  }
}

function cellsOf(
  role: (typeof WATCHED)[number],
  count: string,
  memory: ReadonlyMap<string, number>,
  cpu: ReadonlyMap<string, number>,
): readonly Figure[] {
  const cell = (column: string) => ({
    table: 'processes while approvals wait',
    row: role,
    column: `${column}, ${count} waiting`,
  });
  return [
    { name: '', value: (memory.get(role) ?? 0) / BYTES_PER_MB, unit: 'MB', cell: cell('memory') },
    { name: '', value: cpu.get(role) ?? 0, unit: 'percent', cell: cell('CPU') },
  ];
}
