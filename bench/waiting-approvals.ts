import { setTimeout as delay } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { z } from 'zod';
import { SECOND_MS } from '../domain/durations';
import { copyHeld, writePeople } from './approval-rows';
import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { cpuMsOf, memoryBytesOf } from './cpu';
import { type HeldTransfer, holdEverything } from './held-transfers';
import { percentile } from './percentiles';
import { type Stack, startStack } from './stack';

const ROWS = 10_000;
const HELD = 800;
const HELD_AT_ONCE = 24;
const DECISIONS = 100;
/**
 * Two cores complete three to five transfers per second. Faster decisions would make transfers queue, and the bench would
 * measure the queue.
 */
const DECISIONS_PER_SECOND = 2;
const QUIET_MS = 20_000;
/** Longer than the time after which Temporal reassigns a lost workflow task, so that the measurement does not include a retry. */
const SETTLE_MS = 12_000;
const READS = 1_000;
const READERS = 4;
const WARM_UP_SHARE = 0.1;
const LOOK_EVERY_MS = 10;
const MOVES_WITHIN_MS = 60_000;
/** An approved transfer must not end in these states. */
const LOST: ReadonlySet<string> = new Set(['Rejected', 'Failed']);

const READ_P99_MS = 100;
const MOVED_P99_MS = 500;
const WORKER_MB = 1_500;
/** Two idle periods can differ by this much CPU time, which is half a percent of one core over `QUIET_MS`. */
const NOISE_S = 0.1;
const BYTES_PER_MB = 1_000_000;

const Explained = z.object({ stage: z.literal('Approval') });
const Listed = z.object({ items: z.array(z.object({ status: z.literal('Pending') })) });

/**
 * Measures reads over thousands of pending approvals, and the worker's memory and CPU time while transfers wait. The bench also
 * measures the time from a decision until its transfer continues. Most rows are copies. Processes, HTTP requests, signatures and
 * workflows are real.
 */
export const waitingApprovals: Bench['run'] = async ({ size, say }) => {
  const stack = await startStack({ kind: 'embedded', say });
  const postgres = new PostgresClient({ connectionString: stack.superuserUrl });
  try {
    await postgres.connect();
    const quietMs = Math.max(5_000, QUIET_MS * Math.min(1, size));
    const total = Math.max(20, Math.round(HELD * size));
    // Mails are separate work and are not measured here.
    await stack.client('admin').change('PUT', '/organizations/settings', { approvalMails: false }, z.unknown());
    const approverId = stack.userId('approver');
    const people = await writePeople(postgres, approverId);
    const ask = await holdEverything(stack, [approverId, ...people.colleagues]);

    const idle = await quietWorker(stack, quietMs);
    const held: HeldTransfer[] = [];
    const asked = await closedLoop(total, HELD_AT_ONCE, async (lane) => {
      held.push(await ask(lane));
      if (held.length % 100 === 0) say(`${held.length} of ${total} transfers wait`);
    });
    say(`${total} transfers wait, asked for in ${asked.seconds.toFixed(0)} s`);
    const waiting = await quietWorker(stack, quietMs);

    const [model] = held;
    if (!model) throw new Error('Nothing was held');
    const rows = Math.max(500, Math.round(ROWS * size));
    const approvalIds = await copyHeld(postgres, { held: model, initiatorId: stack.userId('admin'), approverId }, rows);
    say(`${rows} more approvals written as rows`);
    const reads = await readFigures(stack, {
      approvalIds,
      userIds: people.all,
      count: Math.max(200, Math.round(READS * size)),
      say,
    });

    const decided = held.slice(0, Math.max(10, Math.round(DECISIONS * size)));
    const latencies = await decideOn(stack, postgres, decided);
    say(`${latencies.length} decisions have moved their transfers`);
    const crowd = `${rows + total} waiting`;
    return [
      ...reads.map((figure) => ({ ...figure, name: `${figure.name}, ${crowd}` })),
      ...workerFigures(idle, waiting, { total, quietMs }),
      { name: `decision to moved transfer, p50, ${crowd}`, value: percentile(latencies, 0.5), unit: 'ms' },
      {
        name: `decision to moved transfer, p99, ${crowd}`,
        value: percentile(latencies, 0.99),
        unit: 'ms',
        aim: { atMost: MOVED_P99_MS },
        note: `${latencies.length} decisions; from the answer until another connection sees that the transfer waits no more`,
      },
      { name: `asking for ${total} held transfers`, value: total / asked.seconds, unit: '1/s' },
    ];
  } finally {
    await postgres.end();
    await stack.stop();
  }
};

type Quiet = { readonly cpuS: number; readonly memoryMb: number };

/** The worker's CPU time in a period without requests, and its memory at the end of the period. */
async function quietWorker(stack: Stack, windowMs: number): Promise<Quiet> {
  const pid = stack.pids().get('worker') ?? 0;
  await delay(SETTLE_MS);
  const before = cpuMsOf(pid);
  await delay(windowMs);
  return { cpuS: (cpuMsOf(pid) - before) / SECOND_MS, memoryMb: memoryBytesOf(pid) / BYTES_PER_MB };
}

type Wait = { readonly total: number; readonly quietMs: number };

function workerFigures(idle: Quiet, waiting: Quiet, { total, quietMs }: Wait): readonly Figure[] {
  const seconds = quietMs / SECOND_MS;
  return [
    { name: 'worker memory before', value: idle.memoryMb, unit: 'MB' },
    { name: `worker memory with ${total} waiting workflows`, value: waiting.memoryMb, unit: 'MB', aim: { atMost: WORKER_MB } },
    {
      name: `worker CPU in ${seconds} s with ${total} waiting workflows, less before`,
      value: waiting.cpuS - idle.cpuS,
      unit: 's',
      aim: { atMost: NOISE_S },
      note: `${waiting.cpuS.toFixed(2)} s, before ${idle.cpuS.toFixed(2)} s; two quiet spans may differ by the aim`,
    },
  ];
}

type Reads = {
  readonly approvalIds: readonly string[];
  readonly userIds: readonly string[];
  readonly count: number;
  readonly say: (line: string) => void;
};

/**
 * Four concurrent readers explain all approvals, and list the approvals of one person after another. Some people are in all
 * approvals, some in a few and some in none.
 */
async function readFigures(stack: Stack, { approvalIds, userIds, count, say }: Reads): Promise<readonly Figure[]> {
  const { get } = stack.client('admin');
  const list = async (filter: string, n: number) =>
    (await get(`/v2/policy-approvals?status=Pending&${filter}=${userIds[n % userIds.length]}`, Listed)).items.length;
  const explain = async (n: number) => {
    const approvalId = approvalIds[Math.floor((n * approvalIds.length) / count) % approvalIds.length];
    await get(`/v2/policy-approvals/${approvalId}/explain`, Explained);
    return 1;
  };
  const kinds: readonly (readonly [string, (n: number) => Promise<number>])[] = [
    ['explain', explain],
    ['list by status and approverId', (n) => list('approverId', n)],
    ['list by status and initiatorId', (n) => list('initiatorId', n)],
  ];
  const figures: Figure[] = [];
  for (const [name, read] of kinds) {
    let turn = 0;
    let found = 0;
    const run = (times: number) =>
      closedLoop(times, READERS, async () => {
        const items = await read(turn++);
        found += items; // not `found += await`, because four readers add to `found`
      });
    await run(Math.ceil(count * WARM_UP_SHARE));
    const { latenciesMs } = await run(count);
    if (found === 0) throw new Error(`${name} found nothing`);
    const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
    say(`${name}: ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    figures.push({ name: `${name}, p50`, value: p50, unit: 'ms' });
    figures.push({ name: `${name}, p99`, value: p99, unit: 'ms', aim: { atMost: READ_P99_MS } });
  }
  return figures;
}

/** The times in ms from the response until the transfer has left `AwaitingApproval`. */
async function decideOn(stack: Stack, postgres: PostgresClient, held: readonly HeldTransfer[]): Promise<readonly number[]> {
  const approver = stack.client('approver');
  const latencies: number[] = [];
  let next = performance.now();
  for (const { id, approvalId } of held) {
    await approver.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' }, z.unknown());
    latencies.push(await moved(postgres, stack.orgId, id));
    next += SECOND_MS / DECISIONS_PER_SECOND;
    await delay(Math.max(0, next - performance.now()));
  }
  return latencies;
}

async function moved(postgres: PostgresClient, orgId: string, transferId: string): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { rows } = await postgres.query<{ state: string }>('SELECT state FROM transfers WHERE org_id = $1 AND id = $2', [
      orgId,
      transferId,
    ]);
    const passed = performance.now() - from;
    const state = rows[0]?.state;
    if (state === undefined || LOST.has(state)) throw new Error(`The transfer ${transferId} is ${state} after its decision`);
    if (state !== 'AwaitingApproval') return passed;
    if (passed > MOVES_WITHIN_MS) throw new Error(`The transfer ${transferId} did not move after its decision`);
    await delay(LOOK_EVERY_MS);
  }
}
