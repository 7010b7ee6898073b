import { Connection, Client as TemporalClient } from '@temporalio/client';
import { z } from 'zod';
import type { ProcessName } from '../rig';
import type { Fault, Finding } from './fault';
import type { Order, Scene } from './fixture';
import { last, until } from './polling';
import { provenOnce } from './proof';

const ORDERS = 24;
/** Within this pause the service begins new work, so the next kill interrupts some work. */
const BETWEEN_KILLS_MS = 2_000;
const SHARDS_SHARED_WITHIN_MS = 30_000;

const Count = z.coerce.number();

/** The number of outbox shards that each running relay has leased. */
async function sharesOf({ stage }: Scene): Promise<readonly number[]> {
  const rows = await stage.sql<{ held: string }>(
    `SELECT count(*) AS held FROM outbox_leases WHERE shard >= 0 AND date_expires > clock_timestamp() AND holder <> '' GROUP BY holder`,
  );
  return rows.map(({ held }) => Count.parse(held)).sort((a, b) => b - a);
}

/** The number of activities of the transfers for `orders`, by the process that ran the activities. */
async function activitiesBy(scene: Scene, orders: readonly Order[]): Promise<ReadonlyMap<string, number>> {
  const connection = await Connection.connect({ address: `127.0.0.1:${scene.stage.place().ports['temporal']}` });
  const carried = new Map<string, number>();
  try {
    const client = new TemporalClient({ connection });
    for (const { id } of await scene.rows(orders)) {
      const { events } = await client.workflow.getHandle(id).fetchHistory();
      for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
        const [pid] = (started?.identity ?? '').split('@');
        if (pid) carried.set(pid, (carried.get(pid) ?? 0) + 1);
      }
    }
  } finally {
    await connection.close();
  }
  return carried;
}

/** If one API does not accept an order, sends the order to the other API. Returns how many orders each API accepted. */
async function sendOver(
  scene: Scene,
  orders: readonly Order[],
  baseUrls: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const answered = new Map<string, number>();
  await Promise.all(
    orders.map(async (order, index) => {
      await last(index * 250);
      let turn = index;
      await until(`${order.externalId} is accepted`, async () => {
        const baseUrl = baseUrls[turn % baseUrls.length] ?? '';
        turn += 1;
        const { status } = await scene.ask(order, scene.stage.client('admin', baseUrl));
        if (status !== 200) return undefined;
        answered.set(baseUrl, (answered.get(baseUrl) ?? 0) + 1);
        return true;
      });
    }),
  );
  return answered;
}

const figures = (what: string, counts: Iterable<number>, atLeast: number): Finding => {
  const all = [...counts];
  return { had: what, seen: all.length >= 2 && all.every((count) => count >= atLeast), note: all.join(' and ') };
};

export const twoOfEach: Fault = {
  name: 'two of each',
  done: 'a second worker and a second API on the same database and Temporal; under a load each of the four is killed once',
  run: async (scene) => {
    const { stage } = scene;
    const [quiet, load] = [await scene.orders(ORDERS / 2), await scene.orders(ORDERS)];
    const [worker, api] = [await stage.second('worker'), await stage.second('api')];
    const baseUrls = [stage.place().apiUrl, api.baseUrl];

    const shares = await until(
      'both relays hold shards',
      async () => {
        const held = await sharesOf(scene);
        return held.length === 2 && held.every((count) => count >= 16) ? held : undefined;
      },
      SHARDS_SHARED_WITHIN_MS,
    ).catch(() => sharesOf(scene));
    const answered = await sendOver(scene, quiet, baseUrls);
    await scene.untilEnded(quiet);
    const carried = await activitiesBy(scene, quiet);

    const sending = sendOver(scene, load, baseUrls);
    const victims: readonly ProcessName[] = ['worker', worker.name, 'api', api.name];
    for (const victim of victims) {
      await last(BETWEEN_KILLS_MS);
      await stage.kill(victim);
      await last(BETWEEN_KILLS_MS);
      await stage.restart(victim);
    }
    await sending;
    return [
      figures('both APIs answered orders', answered.values(), 1),
      figures('both workers ran activities', carried.values(), 1),
      figures('both relays held shards', shares, 1),
      ...(await provenOnce(scene, quiet)),
      ...(await provenOnce(scene, load)),
    ];
  },
};
