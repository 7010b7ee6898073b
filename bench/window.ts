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
  /** CPU time per piece of work and process, in milliseconds. */
  readonly cpuMs: ReadonlyMap<string, number>;
  /** The same for the threads of the process that was named. */
  readonly threadMs: ReadonlyMap<string, number>;
};

/** What is still under way when the last answer comes, a row to be marked say, belongs to the work as well. */
const SETTLES_MS = 300;

/** Reads what every process spends while the work runs. */
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
