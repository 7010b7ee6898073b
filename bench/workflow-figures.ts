import type { Figure } from './bench';
import type { HistoryShape } from './history-shape';
import { median } from './percentiles';
import type { Shares } from './settlement-shares';
import type { StackKind } from './stack';
import type { Window } from './window';
import type { Kind } from './workflows';

export type Measured = {
  readonly stackKind: StackKind;
  /** One window (a measured period) per repetition, for each kind and each concurrency. */
  readonly windows: ReadonlyMap<Kind, Map<number, readonly Window[]>>;
  readonly shapes: Readonly<Record<Kind, HistoryShape>>;
  readonly deliveriesEach: number;
  readonly shares: Shares;
};

const RATIO_AIM = 1.3;
const ROLES = ['worker', 'api', 'signer', 'temporal', 'temporal-postgres', 'postgres', 'chain'] as const;

/** Each figure from the windows is the median over the repetitions. */
export function figuresOf({ stackKind, windows, shapes, deliveriesEach, shares }: Measured): readonly Figure[] {
  const figures: Figure[] = [];
  const medianOf = (kind: Kind, atOnce: number, read: (window: Window) => number) =>
    median((windows.get(kind)?.get(atOnce) ?? []).map(read));
  const workerMs = (kind: Kind, atOnce: number) => medianOf(kind, atOnce, ({ cpuMs }) => cpuMs.get('worker') ?? 0);
  const loads = [...(windows.get('T')?.keys() ?? [])];

  for (const atOnce of loads) {
    const ratio = (name: string, of: Kind, by: Kind, aim?: Figure['aim']) =>
      figures.push({
        name: `${stackKind}: ${name}, worker CPU, ${atOnce} at once`,
        value: workerMs(of, atOnce) / workerMs(by, atOnce),
        unit: 'ratio',
        ...(aim ? { aim } : {}),
        note: `${workerMs(of, atOnce).toFixed(1)} / ${workerMs(by, atOnce).toFixed(1)} ms`,
      });
    ratio('T/F2', 'T', 'F2', { atMost: RATIO_AIM });
    ratio('T/F1', 'T', 'F1');
    ratio('T held/F2 held', 'T held', 'F2 held', { atMost: RATIO_AIM });
  }
  figures.push(
    { name: `${stackKind}: deliveries of webhooks per transfer`, value: deliveriesEach, unit: 'count' },
    { name: `${stackKind}: worker CPU of a transfer until it is sent`, value: shares.untilSentMs, unit: 'ms' },
    {
      name: `${stackKind}: worker CPU of a transfer from the block on`,
      value: shares.settlingMs,
      unit: 'ms',
      note: 'follower, settlement, its events and webhooks, the last signal',
    },
    { name: `${stackKind}: worker CPU per second while nothing is open`, value: shares.idlePerSecondMs, unit: 'ms' },
    {
      name: `${stackKind}: worker CPU per second while transfers are open and no block comes`,
      value: shares.followingPerSecondMs,
      unit: 'ms',
    },
  );

  for (const [kind, byLoad] of windows) {
    const shape = shapes[kind];
    const shapeTable = `${stackKind}: history`;
    figures.push(
      { name: '', value: shape.activities, unit: 'count', cell: { table: shapeTable, row: kind, column: 'activities' } },
      { name: '', value: shape.events, unit: 'count', cell: { table: shapeTable, row: kind, column: 'events' } },
      { name: '', value: shape.bytes, unit: 'bytes', cell: { table: shapeTable, row: kind, column: 'bytes' } },
    );
    for (const atOnce of byLoad.keys()) {
      const cell = (table: string, column: string) => ({
        table: `${stackKind}: ${table}`,
        row: `${kind}, ${atOnce} at once`,
        column,
      });
      const speed = 'completed';
      figures.push(
        { name: '', value: medianOf(kind, atOnce, (w) => w.perSecond), unit: '1/s', cell: cell(speed, 'per second') },
        { name: '', value: medianOf(kind, atOnce, (w) => w.p50Ms), unit: 'ms', cell: cell(speed, 'p50 ms') },
        { name: '', value: medianOf(kind, atOnce, (w) => w.p99Ms), unit: 'ms', cell: cell(speed, 'p99 ms') },
      );
      for (const role of ROLES.filter((one) => windows.get(kind)?.get(atOnce)?.[0]?.cpuMs.has(one))) {
        const value = medianOf(kind, atOnce, ({ cpuMs }) => cpuMs.get(role) ?? 0);
        figures.push({ name: '', value, unit: 'ms', cell: cell('CPU ms per workflow', role) });
      }
      const threads = new Set([...(byLoad.get(atOnce) ?? [])].flatMap(({ threadMs }) => [...threadMs.keys()]));
      for (const thread of threads) {
        const value = medianOf(kind, atOnce, ({ threadMs }) => threadMs.get(thread) ?? 0);
        figures.push({ name: '', value, unit: 'ms', cell: cell("CPU ms per workflow by the worker's threads", thread) });
      }
    }
  }
  return figures;
}
