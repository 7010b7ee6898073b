import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { secretContext } from '../application/webhooks/sending';
import { openStrongroomDatabase } from '../entities/data-source';
import { webhookStore } from '../entities/webhooks/webhook.store';
import { newId } from '../platform/ids';
import { createSecretBox } from '../platform/secret-box';
import type { Bench, Figure } from './bench';
import { cpuMsOf } from './cpu';
import { writeBacklog, writeOrganizations } from './event-rows';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import type { ReceiverAnswer, ReceiverOrder } from './receiver-process';
import type { RelayOrder } from './relay-process';

const IDLE_MS = 30_000;
const SETTLE_MS = 4_000;
const BACKLOG_ROWS = 20_000;
const IDLE_PERCENT_MAX = 1;
const RELAYED_PER_SECOND_MIN = 1_000;
const LOOK_EVERY_MS = 50;

/** Creates a webhook that receives every kind of event. */
export async function writeWebhook(appUrl: string, dataKek: string, orgId: string, url: string): Promise<void> {
  const db = await openStrongroomDatabase({ url: appUrl, poolMax: 2, applicationName: 'bench' });
  const id = newId('webhook');
  const sealedSecret = createSecretBox(Buffer.from(dataKek, 'hex'), 'webhook-secrets').seal(
    'whs-bench',
    secretContext(orgId, id),
  );
  await db.withOrg(orgId, (tx) =>
    webhookStore.insert(tx, id, { url, status: 'Enabled', description: null, events: ['*'], sealedSecret }),
  );
  await db.close();
}

/** Measures the cost of the idle relay, and the time to empty a backlog. */
export const relay: Bench = {
  name: 'relay',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const dataKek = randomBytes(32).toString('hex');
    const program = startProgram<RelayOrder, object>('relay-process');
    const receiver = startProgram<ReceiverOrder, ReceiverAnswer>('receiver-process');
    try {
      const { appUrl, workerUrl, relayUrl } = postgres;
      await program.ask({ order: 'open', workerUrl, relayUrl, dataKek });
      const { url } = await receiver.ask({ order: 'open' });
      const [quiet = '', ...many] = await writeOrganizations(postgres, 101);
      const [subscribed = ''] = await writeOrganizations(postgres, 1);
      await writeWebhook(appUrl, dataKek, subscribed, url);
      const rows = Math.max(1_000, Math.round(BACKLOG_ROWS * size));
      const drain = async (name: string, backlog: Parameters<typeof writeBacklog>[1]): Promise<Figure[]> => {
        await writeBacklog(postgres, backlog);
        const before = { relay: cpuMsOf(program.pid), postgres: cpuMsOf(postgres.pid) };
        const started = performance.now();
        await program.ask({ order: 'start' });
        await emptied(postgres);
        const seconds = (performance.now() - started) / 1_000;
        const spent = {
          relay: cpuMsOf(program.pid) - before.relay,
          postgres: cpuMsOf(postgres.pid) - before.postgres,
        };
        await program.ask({ order: 'stop' });
        say(`${name}: ${backlog.count} rows in ${seconds.toFixed(1)} s`);
        return [
          { name: `${name}, relayed`, value: backlog.count / seconds, unit: '1/s', aim: { atLeast: RELAYED_PER_SECOND_MIN } },
          { name: `${name}, relay CPU per row`, value: spent.relay / backlog.count, unit: 'ms' },
          { name: `${name}, Postgres CPU per row`, value: spent.postgres / backlog.count, unit: 'ms' },
        ];
      };
      return [
        ...(await idle(program, postgres, Math.max(5_000, IDLE_MS * size))),
        ...(await drain('starts and signals', { kind: 'signal', orgIds: [quiet], count: rows })),
        ...(await drain('events without a subscriber', { kind: 'event', orgIds: [quiet], count: rows })),
        ...(await drain('events of 100 organisations without a subscriber', { kind: 'event', orgIds: many, count: rows })),
        ...(await drain('events with one receiver', { kind: 'event', orgIds: [subscribed], count: rows })),
      ];
    } finally {
      await Promise.all([program.stop(), receiver.stop()]);
      await postgres.close();
    }
  },
};

/** Measures the cost of the idle relay: the difference between the process's CPU time with and without a running relay. */
async function idle(
  program: { pid: number; ask: (o: RelayOrder) => Promise<object> },
  postgres: BenchPostgres,
  windowMs: number,
) {
  const window = async () => {
    await delay(SETTLE_MS);
    const before = { relay: cpuMsOf(program.pid), postgres: cpuMsOf(postgres.pid) };
    const started = performance.now();
    await delay(windowMs);
    const passed = performance.now() - started;
    return {
      relay: (100 * (cpuMsOf(program.pid) - before.relay)) / passed,
      postgres: (100 * (cpuMsOf(postgres.pid) - before.postgres)) / passed,
    };
  };
  const without = await window();
  await program.ask({ order: 'start' });
  const beside = await window();
  await program.ask({ order: 'stop' });
  const figures: Figure[] = [
    {
      name: 'idle relay, CPU of its process',
      value: beside.relay - without.relay,
      unit: 'percent',
      aim: { atMost: IDLE_PERCENT_MAX },
      note: 'of one core, less the same process without a relay',
    },
    { name: 'idle relay, CPU of Postgres', value: beside.postgres - without.postgres, unit: 'percent' },
  ];
  return figures;
}

async function emptied({ query }: BenchPostgres): Promise<void> {
  for (;;) {
    const [row] = await query<{ waiting: boolean }>('SELECT EXISTS (SELECT 1 FROM outbox WHERE date_relayed IS NULL) AS waiting');
    if (!row?.waiting) return;
    await delay(LOOK_EVERY_MS);
  }
}
