import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { startFloors, temporalClientOf } from './floors/floors';
import { type HistoryShape, historyShapeOf } from './history-shape';
import { settlementShares } from './settlement-shares';
import { type StackKind, startStack } from './stack';
import { prepareTransferLoad } from './transfer-load';
import { measured, type Window } from './window';
import { figuresOf, type Measured } from './workflow-figures';

/** The number of workflows of each kind at size 1, for each concurrency. */
const LOADS = [
  { atOnce: 1, count: 20 },
  { atOnce: 10, count: 120 },
  { atOnce: 50, count: 250 },
] as const;
const WARM_UP = 40;
const REPETITIONS = 3;
const SHARES_COUNT = 150;

/** The kinds of workflows, in the order in which they take turns. */
const KINDS = ['F0', 'F1', 'F2', 'T', 'F2 held', 'T held'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Compares the transfer through the HTTP API (T) with floor workflows. F0 has no activities. F1 has a transfer's activities on
 * the same queues, but the activities do nothing. In F2 each activity makes the smallest transaction. All kinds take turns, so
 * other load on the machine affects all kinds.
 */
export const workflows: Bench = {
  name: 'workflows',
  run: async ({ size, say }) => {
    const figures: Figure[] = [];
    for (const kind of ['embedded', 'postgres'] as const) figures.push(...(await onStack(kind, size, say)));
    return figures;
  },
};

const scaled = (count: number, size: number, least: number) => Math.max(least, Math.round(count * size));

async function onStack(stackKind: StackKind, size: number, say: (line: string) => void): Promise<readonly Figure[]> {
  const loads = LOADS.map(({ atOnce, count }) => ({
    count: scaled(count, size, 4),
    atOnce: Math.min(atOnce, scaled(count, size, 4)),
  }));
  say(`${stackKind}: starting`);
  const stack = await startStack({ kind: stackKind, say });
  const client = temporalClientOf(stack);
  try {
    const load = await prepareTransferLoad(stack, Math.max(...loads.map(({ atOnce }) => atOnce)));
    const floors = await startFloors(stack, client, load.network);
    const unheld = await historyAfterEnd(client, (await load.transfer(0)).id);
    const held = await historyAfterEnd(client, (await load.heldTransfer(0)).id);
    say(`${stackKind}: a transfer has ${unheld.activities} activities, a held transfer ${held.activities}`);

    const run: Record<Kind, (lane: number) => Promise<unknown>> = {
      F0: (lane) => floors.run('floorNothing', [], load.walletId(lane)),
      F1: (lane) => floors.run('floorNothing', unheld.queues, load.walletId(lane)),
      F2: (lane) => floors.run('floorTransaction', unheld.queues, load.walletId(lane)),
      T: load.transfer,
      'F2 held': (lane) => floors.run('floorTransaction', held.queues, load.walletId(lane)),
      'T held': load.heldTransfer,
    };
    const pids = (kind: Kind) => {
      const all = new Map<string, number>(stack.pids());
      if (!kind.startsWith('T')) all.set('worker', floors.pid);
      return all;
    };
    for (const kind of KINDS) await closedLoop(scaled(WARM_UP, size, 4), 8, run[kind]);

    const windows: Measured['windows'] = new Map(KINDS.map((kind) => [kind, new Map<number, Window[]>()]));
    let delivered = 0;
    let transferred = 0;
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      for (const { atOnce, count } of loads) {
        for (const kind of KINDS) {
          const before = load.deliveries();
          const all = pids(kind);
          const window = await measured(all, all.get('worker') ?? 0, () => closedLoop(count, atOnce, run[kind]));
          if (kind === 'T') {
            delivered += load.deliveries() - before;
            transferred += window.count;
          }
          const ofKind = windows.get(kind);
          ofKind?.set(atOnce, [...(ofKind.get(atOnce) ?? []), window]);
          const worker = window.cpuMs.get('worker')?.toFixed(1);
          say(`${stackKind}: ${kind} at ${atOnce}: ${window.perSecond.toFixed(1)}/s, worker ${worker} ms each`);
        }
      }
    }
    const shapes: Measured['shapes'] = {
      F0: await historyShapeOf(client, await floors.run('floorNothing', [], load.walletId(0))),
      F1: await historyShapeOf(client, await floors.run('floorNothing', unheld.queues, load.walletId(0))),
      F2: await historyShapeOf(client, await floors.run('floorTransaction', unheld.queues, load.walletId(0))),
      T: unheld,
      'F2 held': await historyShapeOf(client, await floors.run('floorTransaction', held.queues, load.walletId(0))),
      'T held': held,
    };
    const shares = await settlementShares(stack, load, scaled(SHARES_COUNT, size, 4));
    return figuresOf({ stackKind, windows, shapes, deliveriesEach: delivered / Math.max(1, transferred), shares });
  } finally {
    await client.connection.close();
    await stack.stop();
  }
}

/** Waits for the end of the workflow, because the webhook of the confirmation arrives shortly before. */
async function historyAfterEnd(client: ReturnType<typeof temporalClientOf>, id: string): Promise<HistoryShape> {
  await client.workflow.getHandle(id).result();
  return historyShapeOf(client, id);
}
