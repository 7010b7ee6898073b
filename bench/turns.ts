import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Bench, Figure } from './bench';
import { writeBacklog, writeOrganizations } from './event-rows';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import type { RelayOrder } from './relay-process';
import { startStack } from './stack';

const BACKLOG = 5_000;
/** The stand-in for Temporal takes as long as Temporal does to start a workflow, so that the relay's backlog is realistic. */
const CARRY_OUT_MS = 10;
const LOOK_EVERY_MS = 2;
const RELAY_RATIO_MAX = 5;
const QUEUE = 'bench-turns';
const WORKFLOWS = 200;
const TURN_MAX = 10;
const POLL_LIMIT_MS = 20_000;

/** Measures how long the backlog of another organisation delays a request, in the relay and in a queue of Temporal. */
export const turns: Bench = {
  name: 'turns',
  run: async ({ size, say }) => [...(await relayed(Math.max(500, BACKLOG * size), say)), ...(await handedOut(say))],
};

async function relayed(backlog: number, say: (line: string) => void): Promise<Figure[]> {
  const postgres = await startBenchPostgres();
  const program = startProgram<RelayOrder, object>('relay-process');
  try {
    const { workerUrl, relayUrl } = postgres;
    await program.ask({ order: 'open', workerUrl, relayUrl, dataKek: randomBytes(32).toString('hex'), carryOutMs: CARRY_OUT_MS });
    const [busy = '', alone = '', quiet = ''] = await writeOrganizations(postgres, 3);
    await program.ask({ order: 'start' });
    await timeOf(postgres, alone); // the relay first takes leases on the shards of the outbox
    const aloneMs = await timeOf(postgres, alone);
    await writeBacklog(postgres, { kind: 'signal', orgIds: [busy], count: backlog });
    const behindMs = await timeOf(postgres, quiet);
    await program.ask({ order: 'stop' });
    say(`one row alone ${aloneMs.toFixed(0)} ms, behind ${backlog} of another organisation ${behindMs.toFixed(0)} ms`);
    return [
      { name: 'relay: a row alone', value: aloneMs, unit: 'ms' },
      { name: `relay: a row behind ${backlog} of another organisation`, value: behindMs, unit: 'ms' },
      {
        name: 'relay: the row behind the backlog over the row alone',
        value: behindMs / aloneMs,
        unit: 'ratio',
        aim: { atMost: RELAY_RATIO_MAX },
      },
    ];
  } finally {
    await program.stop();
    await postgres.close();
  }
}

/** Inserts a row, and returns the time until the relay has set `date_relayed` of this row. */
async function timeOf(postgres: BenchPostgres, orgId: string): Promise<number> {
  const started = performance.now();
  await writeBacklog(postgres, { kind: 'signal', orgIds: [orgId], count: 1 });
  for (;;) {
    const sql = 'SELECT FROM outbox WHERE org_id = $1 AND date_relayed IS NULL';
    if ((await postgres.query(sql, [orgId])).length === 0) return performance.now() - started;
    await delay(LOOK_EVERY_MS);
  }
}

async function handedOut(say: (line: string) => void): Promise<Figure[]> {
  const stack = await startStack({ kind: 'embedded', say });
  const connection = await Connection.connect({ address: stack.env.worker['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const client = new Client({ connection });
    const start = (workflowId: string, fairnessKey: string) =>
      client.workflow.start('never-run', { workflowId, taskQueue: QUEUE, priority: { fairnessKey } });
    for (let n = 0; n < WORKFLOWS; n += 1) await start(`busy-${n}`, 'or-busy');
    await start('quiet', 'or-quiet');
    for (let place = 1; ; place += 1) {
      const task = await client.withDeadline(Date.now() + POLL_LIMIT_MS, () =>
        connection.workflowService.pollWorkflowTaskQueue({ taskQueue: { name: QUEUE }, namespace: 'default' }),
      );
      if (task.workflowExecution?.workflowId !== 'quiet') continue;
      const name = `Temporal: place of a workflow behind ${WORKFLOWS} of another organisation`;
      return [{ name, value: place, unit: 'count', aim: { atMost: TURN_MAX } }];
    }
  } finally {
    await connection.close();
    await stack.stop();
  }
}
