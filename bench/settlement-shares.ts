import { setTimeout as delay } from 'node:timers/promises';
import { closedLoop } from './closed-loop';
import { cpuMsOf } from './cpu';
import type { Stack } from './stack';
import type { TransferLoad } from './transfer-load';

/**
 * The worker's CPU time in milliseconds. `untilSentMs` and `settlingMs` are per transfer. `idlePerSecondMs` is per second
 * without open transfers. `followingPerSecondMs` is per second while transfers wait for a block.
 */
export type Shares = {
  readonly untilSentMs: number;
  readonly settlingMs: number;
  readonly idlePerSecondMs: number;
  readonly followingPerSecondMs: number;
};

const QUIET_MS = 4_000;
const AT_ONCE = 10;

/**
 * Measures the CPU time that the worker uses for transfers, before and after it has sent them. First the chain mines no block,
 * so the follower finds nothing, and every transfer waits after it is sent. Then the chain mines, and the transfers end. The
 * follower also polls while the chain mines no block. This function measures the cost of these polls separately, and subtracts
 * it from the cost before the sending.
 */
export async function settlementShares(stack: Stack, load: TransferLoad, count: number): Promise<Shares> {
  const pid = stack.pids().get('worker') ?? 0;
  const spend = async (work: () => Promise<unknown>) => {
    const before = cpuMsOf(pid);
    const from = performance.now();
    await work();
    const seconds = (performance.now() - from) / 1_000;
    return { ms: cpuMsOf(pid) - before, seconds };
  };
  const idle = await spend(() => delay(QUIET_MS));
  await stack.rpc('strongroom_setMining', [false]);
  try {
    const ids: string[] = [];
    const sending = await spend(() => closedLoop(count, AT_ONCE, async (lane) => ids.push(await load.ask(lane))));
    const following = await spend(() => delay(QUIET_MS));
    const vainPerSecond = following.ms / following.seconds;
    const settling = await spend(async () => {
      await stack.rpc('strongroom_setMining', [true]);
      await Promise.all(ids.map(load.confirmed));
      await delay(SETTLES_MS);
    });
    return {
      untilSentMs: Math.max(0, sending.ms - vainPerSecond * sending.seconds) / count,
      settlingMs: settling.ms / count,
      idlePerSecondMs: idle.ms / idle.seconds,
      followingPerSecondMs: vainPerSecond,
    };
  } finally {
    await stack.rpc('strongroom_setMining', [true]);
  }
}

/**
 * How long the measurement goes on after the last confirmation. In this time the worker still updates rows and ends workflows.
 */
const SETTLES_MS = 500;
