import { setTimeout as delay } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { startFloors, temporalClientOf } from './floors/floors';
import { historyShapeOf } from './history-shape';
import { startStack } from './stack';
import { prepareTransferLoad } from './transfer-load';
import { measured } from './window';

const COUNT = 40;
const AT_ONCE = 4;
const WARM_UP = 12;
/** The number of transfers whose statements are counted, one transfer at a time. */
const COUNTED = 8;
const IDLE_MS = 5_000;
const SETTLES_MS = 1_500;
/** The database roles of the API and the worker. */
const ROLES = ['strongroom_app', 'strongroom_worker'];
const STATEMENT = / LOG: {2}(?:execute|statement)/;

/**
 * Counts the database statements of one transfer (T), with and without an approval. Compares the worker's CPU time for T and
 * for F2, the smallest workflow with as many activities and transactions as T.
 */
export const steps: Bench = {
  name: 'steps',
  run: async ({ size, say }) => {
    let asked = 0;
    const hear = (line: string) => {
      const [, role, text = ''] = /^(\w+) \| (.*)$/.exec(line) ?? [];
      if (role === 'postgres') asked += STATEMENT.test(text) ? 1 : 0;
      else say(line);
    };
    const stack = await startStack({ kind: 'embedded', say: hear });
    const client = temporalClientOf(stack);
    try {
      const load = await prepareTransferLoad(stack, AT_ONCE);
      const floors = await startFloors(stack, client, load.network);
      const works = { T: load.transfer, 'T held': load.heldTransfer };
      const figures: Figure[] = [];
      for (const [name, work] of Object.entries(works)) {
        const { id } = await work(0);
        await client.workflow.getHandle(id).result();
        const { queues } = await historyShapeOf(client, id);
        const floor = (lane: number) => floors.run('floorTransaction', queues, load.walletId(lane));
        for (const one of [work, floor]) await closedLoop(Math.round(WARM_UP * size), AT_ONCE, one);
        const cpu = async (one: typeof floor | typeof work, pid: number) => {
          const window = await measured(new Map([['worker', pid]]), pid, () =>
            closedLoop(Math.max(AT_ONCE, Math.round(COUNT * size)), AT_ONCE, one),
          );
          return window.cpuMs.get('worker') ?? 0;
        };
        const [own, least] = [await cpu(work, stack.pids().get('worker') ?? 0), await cpu(floor, floors.pid)];
        const note = `${own.toFixed(1)} / ${least.toFixed(1)} ms`;
        figures.push({ name: `${name}/F2, worker CPU, ${AT_ONCE} at once`, value: own / least, unit: 'ratio', note });
      }
      await tellStatements(stack.superuserUrl);
      for (const [name, work] of Object.entries(works)) {
        await closedLoop(AT_ONCE, AT_ONCE, work);
        await delay(SETTLES_MS);
        const [before, began] = [asked, performance.now()];
        await closedLoop(COUNTED, 1, work);
        await delay(SETTLES_MS);
        const [whole, ms] = [asked - before, performance.now() - began];
        await delay(IDLE_MS);
        const idle = ((asked - before - whole) / IDLE_MS) * ms;
        const value = (whole - idle) / COUNTED;
        figures.push({
          name: `${name}, statements of API and worker`,
          value,
          unit: 'count',
          note: `${Math.round(idle)} of ${whole} idle`,
        });
      }
      return figures;
    } finally {
      await client.connection.close();
      await stack.stop();
    }
  },
};

/** Postgres logs each statement of `ROLES`. The setting applies only to new connections, so the open connections end. */
async function tellStatements(superuserUrl: string): Promise<void> {
  const postgres = new Postgres({ connectionString: superuserUrl });
  await postgres.connect();
  const { rows } = await postgres.query<{ name: string }>('SELECT rolname AS name FROM pg_roles WHERE rolname = ANY($1)', [
    ROLES,
  ]);
  for (const { name } of rows) {
    await postgres.query(`ALTER ROLE ${name} SET log_min_messages = 'log'`);
    await postgres.query(`ALTER ROLE ${name} SET log_statement = 'all'`);
  }
  await postgres.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ANY($1)', [ROLES]);
  await postgres.end();
}
