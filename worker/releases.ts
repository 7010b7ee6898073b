import { type Client, ScheduleOverlapPolicy } from '@temporalio/client';
import { type HousekeepingDuty, RESTARTING_DUTIES } from '../domain/housekeeping';
import type { Logger } from '../platform/logger';
import { repeat } from './repeat';
import { scheduleIdOf } from './schedules';

const CHECK_MS = 5_000;
const CALL_LIMIT_MS = 10_000;
/** If the freeze was released earlier than this, the schedules have already run the duties. */
const RECENT_MS = 20 * 60_000;

type Options = {
  /** Runs a duty now, or after the run that is under way. */
  readonly run: (duty: HousekeepingDuty) => Promise<void>;
  /** When the deployment was released from its last freeze. Undefined if this was more than `withinMs` ago. */
  readonly released: (withinMs: number) => Promise<Date | undefined>;
  readonly logger: Logger;
  readonly checkMs?: number;
};

export const runOver =
  (client: Client): Options['run'] =>
  (duty) =>
    client.withDeadline(Date.now() + CALL_LIMIT_MS, () =>
      client.schedule.getHandle(scheduleIdOf(duty)).trigger(ScheduleOverlapPolicy.BUFFER_ONE),
    );

/**
 * Runs the housekeeping duties that restart workflows, as soon as a freeze of the deployment is released. Returns a function
 * that stops the checks. Every worker runs the duties once; a run that finds no missing workflow has no effect. If a run began
 * before the release, Temporal starts another run after that run.
 */
export async function restartAfterRelease({ run, released, logger, checkMs = CHECK_MS }: Options) {
  let handledMs: number | undefined;
  const check = async (): Promise<void> => {
    try {
      const releasedMs = (await released(RECENT_MS))?.getTime();
      if (releasedMs === undefined || releasedMs === handledMs) return;
      for (const duty of RESTARTING_DUTIES) await run(duty);
      handledMs = releasedMs;
      logger.info('the deployment was released: housekeeping restarts missing workflows');
    } catch (error) {
      logger.warn({ err: error }, 'housekeeping could not be started to restart missing workflows; this is retried');
    }
  };
  await check();
  return repeat({ everyMs: checkMs, work: check });
}
