import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { memoryBytesOf } from './cpu';
import { median } from './percentiles';
import { startStack } from './stack';
import { prepareTransferLoad } from './transfer-load';

const TRANSFERS = 10_000;
const AT_ONCE = 20;
const SAMPLES = 60;
const WARM_UP_SHARE = 0.05;
const BYTES_PER_MB = 1_000_000;
/**
 * The highest accepted ratio of later memory to earlier memory. A heap normally varies by this much. A process that keeps data
 * about every transfer would exceed the ratio.
 */
const GROWTH_AIM = 1.05;
/** Other processes may grow: a chain keeps its blocks, and a server fills its caches. */
const OURS = new Set(['api', 'worker', 'signer']);

/**
 * The aim applies to the processes in `OURS`. The aim limits the median of the last third of the samples to `GROWTH_AIM` times
 * the median of the middle third. Caches are still filling in the first third.
 */
export const memory: Bench = {
  name: 'memory',
  run: async ({ size, say }) => {
    const stack = await startStack({ kind: 'embedded', say });
    try {
      const total = Math.max(60, Math.round(TRANSFERS * size));
      const atStart = new Map([...stack.pids()].map(([role, pid]) => [role, memoryBytesOf(pid)] as const));
      const load = await prepareTransferLoad(stack, AT_ONCE);
      await closedLoop(Math.ceil(total * WARM_UP_SHARE), AT_ONCE, load.transfer);
      const samples = new Map([...stack.pids().keys()].map((role) => [role, [] as number[]] as const));
      const every = Math.max(1, Math.floor(total / SAMPLES));
      let done = 0;
      await closedLoop(total, AT_ONCE, async (lane) => {
        await load.transfer(lane);
        done += 1;
        if (done % every !== 0) return;
        for (const [role, pid] of stack.pids()) samples.get(role)?.push(memoryBytesOf(pid));
        say(`${done} of ${total} transfers, worker ${mb(samples.get('worker')?.at(-1) ?? 0).toFixed(0)} MB`);
      });
      return [...samples].flatMap(([role, ofRole]) => figuresOf(role, atStart.get(role) ?? 0, ofRole, total));
    } finally {
      await stack.stop();
    }
  },
};

const mb = (bytes: number) => bytes / BYTES_PER_MB;

function figuresOf(role: string, atStart: number, samples: readonly number[], total: number): readonly Figure[] {
  const third = Math.floor(samples.length / 3);
  const middle = median(samples.slice(third, 2 * third));
  const last = median(samples.slice(2 * third));
  const cell = (column: string) => ({ table: 'memory, MB', row: role, column });
  return [
    {
      name: `${role}: last third of ${total} transfers over the middle third`,
      value: last / Math.max(1, middle),
      unit: 'ratio',
      ...(OURS.has(role) ? { aim: { atMost: GROWTH_AIM } } : {}),
    },
    { name: '', value: mb(atStart), unit: 'MB', cell: cell('after the start') },
    { name: '', value: mb(middle), unit: 'MB', cell: cell('middle third') },
    { name: '', value: mb(last), unit: 'MB', cell: cell('last third') },
    { name: '', value: mb(samples.at(-1) ?? 0), unit: 'MB', cell: cell('at the end') },
  ];
}
