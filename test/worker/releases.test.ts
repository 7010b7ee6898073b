import { type HousekeepingDuty, RESTARTING_DUTIES } from '../../domain/housekeeping';
import { deploymentStore } from '../../entities/deployment/deployment.store';
import { freezeStore } from '../../entities/deployment/freeze.store';
import { createLogger } from '../../platform/logger';
import { restartAfterRelease, runOver } from '../../worker/releases';
import { keepSchedules, scheduleIdOf } from '../../worker/schedules';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';
import { openLocal } from '../support/temporal';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(60_000);

const logger = createLogger('test', 'silent');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const released = (withinMs: number) => deploymentStore.released(database.db.read(''), withinMs);

/** Records the duties (scheduled housekeeping tasks) that are to run. */
function counting() {
  const ran: HousekeepingDuty[] = [];
  const run = async (duty: HousekeepingDuty): Promise<void> => void ran.push(duty);
  return { ran, run };
}
const ALL: readonly HousekeepingDuty[] = RESTARTING_DUTIES;

test('when a restored deployment is released, every duty that restarts workflows runs at once, even with three workers', async () => {
  const environment = await openLocal();
  const { client } = environment;
  const leave = [await keepSchedules({ client, logger })];
  try {
    const told = { released: undefined as Date | undefined };
    const options = { run: runOver(client), logger, checkMs: 20, released: async () => told.released };
    for (let worker = 0; worker < 3; worker += 1) leave.push(await restartAfterRelease(options));
    const taken = async (duty: HousekeepingDuty) =>
      (await client.schedule.getHandle(scheduleIdOf(duty)).describe()).info.numActionsTaken;
    const before = await Promise.all(RESTARTING_DUTIES.map(taken));
    told.released = new Date();
    for (const [at, duty] of RESTARTING_DUTIES.entries()) {
      await waitUntil(`a run of ${duty}`, async () => (await taken(duty)) > (before[at] ?? 0));
    }
  } finally {
    await Promise.all(leave.map((one) => one()));
    await environment.teardown();
  }
});

test('no duty runs during a freeze; each release is handled once', async () => {
  const freeze = () => freezeStore.freeze(database.ownerUrl, 'It looks wrong');
  await freeze();
  const { ran, run } = counting();
  let looks = 0;
  const counted = async (withinMs: number) => {
    looks += 1;
    return released(withinMs);
  };
  const leave = await restartAfterRelease({ run, released: counted, logger, checkMs: 10 });
  try {
    expect(ran).toEqual([]);
    for (const times of [1, 2]) {
      await freezeStore.thaw(database.ownerUrl);
      const before = looks;
      await waitUntil('some looks', () => looks > before + 3);
      expect(ran).toEqual(Array(times).fill(ALL).flat());
      await freeze();
    }
    await freezeStore.thaw(database.ownerUrl);
  } finally {
    await leave();
  }
});

test('a worker that starts soon after the release also runs the duties, and one that starts long after the release does not', async () => {
  const soon = counting();
  await (await restartAfterRelease({ run: soon.run, released, logger }))();
  expect(soon.ran).toEqual(ALL);
  const longAgo = `UPDATE deployment SET date_released = clock_timestamp() - interval '21 minutes'`;
  await asSuperuser((client) => client.query(longAgo), database.name);
  const late = counting();
  await (await restartAfterRelease({ run: late.run, released, logger }))();
  expect(late.ran).toEqual([]);
});

test('while Temporal or the database is unavailable, a worker retries until each duty has run', async () => {
  const [date, { ran, run }] = [new Date(), counting()];
  let failures = 3;
  const flaky = async (duty: HousekeepingDuty) => {
    failures -= 1;
    if (failures >= 0) throw new Error('Temporal is away');
    await run(duty);
  };
  let isAway = true;
  const unsure = async () => {
    if (!isAway) return date;
    isAway = false;
    throw new Error('the database is away');
  };
  const leave = await restartAfterRelease({ run: flaky, released: unsure, logger, checkMs: 5 });
  try {
    await waitUntil('the last duty', () => ran.length >= ALL.length);
    expect(ran).toEqual(ALL);
  } finally {
    await leave();
  }
});
