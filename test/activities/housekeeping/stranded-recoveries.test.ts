import { recoveryStore } from '../../../entities/recoveries/recovery.store';
import { newId } from '../../../platform/ids';
import { createActor } from '../../support/actor';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';

let housekeeping: Housekeeping;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());

let orgId: string;
const begun = async (age: string, status: 'Waiting' | 'Applied' = 'Waiting') => {
  const id = newId('recovery');
  const { caller } = await createActor(housekeeping.database.db, orgId);
  const set = { kind: 'RecoveryKey', credentialUuid: newId('credential'), begunBy: null, newCredentials: [] } as const;
  await housekeeping.database.db.withOrg(orgId, (tx) =>
    recoveryStore.add(tx, { id, userId: caller.userId, status, ...set, dateEffective: new Date() }),
  );
  await housekeeping.upset('UPDATE recoveries SET date_created = clock_timestamp() - $2::interval WHERE id = $1', [id, age]);
  return id;
};

test('a waiting recovery without a workflow is started again, unless it is young; a running or ended recovery is not', async () => {
  orgId = await housekeeping.database.createOrganization();
  const lost = await begun('11 minutes');
  await begun('9 minutes');
  await begun('1 day', 'Applied');
  housekeeping.standing.set(await begun('1 day'), { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-recoveries')).toEqual({ looked: 2, done: 1 });
  expect(await housekeeping.starts(orgId)).toEqual({ [lost]: expect.objectContaining({ workflow: 'recover', again: 'true' }) });
});

test('a recovery from before the release of a restored deployment is stopped once, even while its workflow runs', async () => {
  orgId = await housekeeping.database.createOrganization();
  const outdated = await begun('2 minutes');
  housekeeping.standing.set(outdated, { kind: 'Running' });
  await housekeeping.upset(`UPDATE deployment SET date_released = clock_timestamp() - interval '1 minute'`);
  housekeeping.standing.set(await begun('0 minutes'), { kind: 'Running' });
  for (let times = 0; times < 2; times += 1) await housekeeping.keep('reconcile-recoveries');
  const woken = `SELECT aggregate_id AS id, routing ->> 'signal' AS signal FROM outbox WHERE kind = 'signal'`;
  expect(await housekeeping.database.db.read(orgId).select(woken)).toEqual([{ id: outdated, signal: 'recoveryStopped' }]);
  expect(await housekeeping.starts(orgId)).toEqual({});
});
