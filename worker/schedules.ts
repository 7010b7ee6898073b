import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { HOUSEKEEPING_DUTIES, type HousekeepingDuty } from '../domain/housekeeping';
import { sharedRoute } from '../domain/routes';
import type { Logger } from '../platform/logger';
import { HOUSEKEEPING } from '../workflows/housekeeping.messages';
import { repeat } from './repeat';

const CHECK_MS = 600_000;
const CALL_LIMIT_MS = 10_000;
/** Runs that were missed while Temporal was down are skipped, because the next run of the duty checks every row anyway. */
const CATCH_UP = '1 minute';

type Options = { readonly client: Client; readonly logger: Logger; readonly checkMs?: number };

export const scheduleIdOf = (duty: HousekeepingDuty): string => `house:${duty}`;

function scheduleOf(duty: HousekeepingDuty): ScheduleOptions {
  const { everyMinutes, note } = HOUSEKEEPING_DUTIES[duty];
  return {
    scheduleId: scheduleIdOf(duty),
    spec: { intervals: [{ every: `${everyMinutes} minutes` }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
    state: { note },
    action: {
      type: 'startWorkflow',
      workflowType: HOUSEKEEPING,
      workflowId: scheduleIdOf(duty),
      taskQueue: sharedRoute.main,
      args: [{ duty }],
      staticSummary: note,
    },
  };
}

/**
 * Keeps the housekeeping schedules as this version of the service defines them, even if several workers call this function.
 * Returns a function that stops the checks. The next check restores a removed schedule. A paused schedule stays paused, with
 * the operator's note.
 */
export async function keepSchedules({ client, logger, checkMs = CHECK_MS }: Options): Promise<() => Promise<void>> {
  const keep = async (duty: HousekeepingDuty): Promise<void> => {
    const wanted = scheduleOf(duty);
    await client.withDeadline(Date.now() + CALL_LIMIT_MS, async () => {
      try {
        await client.schedule.create(wanted);
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await client.schedule.getHandle(wanted.scheduleId).update(({ state }) => ({
          ...wanted,
          state: state.paused ? { paused: true, ...(state.note === undefined ? {} : { note: state.note }) } : { ...wanted.state },
        }));
      }
    });
  };
  const keepAll = async (): Promise<void> => {
    for (const duty of Object.keys(HOUSEKEEPING_DUTIES) as HousekeepingDuty[]) {
      await keep(duty).catch((error: unknown) =>
        logger.warn({ err: error, names: [scheduleIdOf(duty)] }, 'a housekeeping schedule could not be checked'),
      );
    }
  };
  await keepAll();
  return repeat({ everyMs: checkMs, work: keepAll });
}
