import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { type DutyRound, HOUSEKEEPING_DUTIES, type HousekeepingDuty } from '../../domain/housekeeping';
import { sharedRoute } from '../../domain/routes';
import { createLogger } from '../../platform/logger';
import { keepSchedules, scheduleIdOf } from '../../worker/schedules';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

const DUTIES = Object.keys(HOUSEKEEPING_DUTIES) as HousekeepingDuty[];
const logger = createLogger('test', 'silent');

let environment: TestWorkflowEnvironment;
let leave: (() => Promise<void>)[] = [];
beforeAll(async () => {
  environment = await openLocal();
}, 120_000);
afterAll(() => environment?.teardown());
afterEach(async () => {
  await Promise.all(leave.map((one) => one()));
  leave = [];
});

const keep = async (checkMs?: number) => {
  leave.push(await keepSchedules({ client: environment.client, logger, ...(checkMs === undefined ? {} : { checkMs }) }));
};
const handleOf = (duty: HousekeepingDuty) => environment.client.schedule.getHandle(scheduleIdOf(duty));

test('every duty (a housekeeping task) has one schedule with a note for operators, however many workers start at once', async () => {
  await Promise.all([keep(), keep(), keep()]);
  for (const duty of DUTIES) {
    const { spec, policies, state, action } = await handleOf(duty).describe();
    const { everyMinutes, note } = HOUSEKEEPING_DUTIES[duty];
    expect(spec.intervals).toMatchObject([{ every: everyMinutes * 60_000 }]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
    expect(state).toMatchObject({ note, paused: false });
    expect(action).toMatchObject({ workflowType: 'keepHouse', workflowId: `house:${duty}`, taskQueue: sharedRoute.main });
  }
});

test('a schedule of an earlier release is updated to this release, and a paused schedule stays paused', async () => {
  await keep();
  await handleOf('watch-outbox').update((now) => ({ ...now, spec: { intervals: [{ every: '7 hours' }] } }));
  await handleOf('reconcile-claims').pause('looking into it');
  await keep();
  expect((await handleOf('watch-outbox').describe()).spec.intervals).toMatchObject([{ every: 60_000 }]);
  expect((await handleOf('reconcile-claims').describe()).state).toMatchObject({ paused: true, note: 'looking into it' });
});

test('a removed schedule is created again', async () => {
  await keep(50);
  await handleOf('remove-outbox-rows').delete();
  await waitUntil('the schedule', () =>
    handleOf('remove-outbox-rows')
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
});

test('a schedule runs its duty on the main queue, page by page, and its result contains the sums of all pages', async () => {
  await keep();
  const schedule = handleOf('reconcile-transfers');
  const actions = async () => (await schedule.describe()).info.recentActions;
  const rounds: DutyRound[] = [];
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: sharedRoute.main,
    workflowBundle: WORKFLOW_BUNDLE,
    activities: {
      doHouseRound: async (round: DutyRound) => {
        rounds.push(round);
        return round.after === undefined ? { looked: 200, done: 1, next: 'or-1/xfr-1' } : { looked: 3, done: 0 };
      },
    },
  });
  await worker.runUntil(async () => {
    // A scheduled run may begin before the pause. The test waits for this run, because a run under way makes the trigger skip.
    await schedule.pause();
    const earlier = await actions();
    for (const { action } of earlier) await environment.client.workflow.getHandle(action.workflow.workflowId).result();
    rounds.length = 0;
    await schedule.trigger();
    const run = await waitUntil('the run', async () => (await actions())[earlier.length]);
    expect(run.action.workflow.workflowId).toMatch(/^house:reconcile-transfers-2/);
    const handle = environment.client.workflow.getHandle(run.action.workflow.workflowId);
    expect(await handle.result()).toEqual({ looked: 203, done: 1 });
    expect((await handle.describe()).type).toBe('keepHouse');
  });
  const mine = rounds.filter(({ duty }) => duty === 'reconcile-transfers');
  expect(mine).toEqual([{ duty: 'reconcile-transfers' }, { duty: 'reconcile-transfers', after: 'or-1/xfr-1' }]);
}, 60_000);
