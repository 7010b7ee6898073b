import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';

/** An activity ends after this time, within its time-out, and the workflow starts the next round. */
const ROUND_MS = 600_000;
/**
 * The interval must stay well below the heartbeat time-out that the workflow sets. A timer sends the heartbeats, because one
 * step may take longer than the time-out while nodes are slow.
 */
const HEARTBEAT_MS = 3_000;

type Round = {
  readonly context: Context;
  /** Aborted when the worker begins to stop, because the shutdown must not wait for the end of a round. */
  readonly stopping: AbortSignal;
  /** Must not throw. Returns the pause before the next step. */
  readonly step: () => Promise<number>;
};

/** Repeats the step until the end of the round. Throws if the activity is cancelled. */
export async function inRounds({ context, stopping, step }: Round): Promise<void> {
  const ends = performance.now() + ROUND_MS;
  context.heartbeat();
  const heart = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    while (performance.now() < ends && !stopping.aborted) {
      context.cancellationSignal.throwIfAborted();
      await pause(await step(), context.cancellationSignal, stopping);
    }
  } finally {
    clearInterval(heart);
  }
}

/** Does not throw when a signal aborts. */
async function pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal: AbortSignal.any([...signals]) }).catch(() => undefined);
}
