import { setTimeout as delay } from 'node:timers/promises';
import { closedLoop } from './closed-loop';
import { cpuMsOf } from './cpu';
import type { Stack } from './stack';
import type { TransferLoad } from './transfer-load';

/**
 * CPU time of the worker: `untilSentMs` and `settlingMs` per transfer, `idlePerSecondMs` without open transfers, and
 * `followingPerSecondMs` while transfers wait for a block.
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
 * Divides the worker's CPU time into the part until the transfers are sent and the part afterwards. While the chain mines no
 * block, every sent transfer waits. The follower still polls then, so the cost of the polls is measured separately and
 * subtracted from the first part.
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

/** After the last confirmation the worker still updates rows and ends workflows. */
const SETTLES_MS = 500;
