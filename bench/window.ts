import { setTimeout as delay } from 'node:timers/promises';
import type { Loop } from './closed-loop';
import { cpuMsOf, threadCpuMsOf } from './cpu';
import { percentile } from './percentiles';

export type Window = {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly seconds: number;
  /** CPU time per task and process, in milliseconds. */
  readonly cpuMs: ReadonlyMap<string, number>;
  /** CPU time per task and thread of the process `threadsOf`, in milliseconds. */
  readonly threadMs: ReadonlyMap<string, number>;
};

/** After the last response the service still updates rows, and this CPU time is included. */
const SETTLES_MS = 300;

/** Measures the tasks, and the CPU time that each process uses during the tasks. */
export async function measured(pids: ReadonlyMap<string, number>, threadsOf: number, run: () => Promise<Loop>): Promise<Window> {
  const before = new Map([...pids].map(([role, pid]) => [role, cpuMsOf(pid)] as const));
  const threadsBefore = threadCpuMsOf(threadsOf);
  const { seconds, latenciesMs } = await run();
  await delay(SETTLES_MS);
  const count = latenciesMs.length;
  const each = (now: number, then: number | undefined) => (now - (then ?? 0)) / Math.max(1, count);
  return {
    count,
    seconds,
    perSecond: count / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMs: new Map([...pids].map(([role, pid]) => [role, each(cpuMsOf(pid), before.get(role))] as const)),
    threadMs: new Map([...threadCpuMsOf(threadsOf)].map(([name, ms]) => [name, each(ms, threadsBefore.get(name))] as const)),
  };
}
