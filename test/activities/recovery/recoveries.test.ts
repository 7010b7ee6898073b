import { createRecoveryActivities, type RecoveryActivities } from '../../../activities/recovery/recoveries';
import { type RecoveryApi, startRecoveryApi } from '../../support/recovery-api';

let api: RecoveryApi;
let orgId: string;
let activities: RecoveryActivities;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
  await api.setWait(orgId, 24);
  activities = createRecoveryActivities({ db: api.db, mailContents: api.services.mailContents });
});
afterAll(() => api?.close());

const waitingOf = async () => {
  const person = await api.createRecoverable(orgId, { operations: [] });
  const { answer, key } = await api.recover(person);
  return { person, key, recovery: answer.body['recovery'] as { readonly id: string } };
};
const apply = (recoveryId: string) => activities.applyRecovery({ orgId, recoveryId });
const isOver = (id: string) =>
  api.change(orgId, 'UPDATE recoveries SET date_effective = clock_timestamp() WHERE org_id = $1 AND id = $2', [id]);
const logInBy = async (username: string, factor: (challenge: string) => unknown) =>
  (await api.logIn({ orgId, username }, (challenge) => ({ firstFactor: factor(challenge) }))).status;

test('a recovery is applied once, and not before the database clock has reached its effective date', async () => {
  const { person, key, recovery } = await waitingOf();
  expect(await apply(recovery.id)).toEqual({ status: 'Waiting', waitMs: expect.any(Number) });
  expect(await logInBy(person.username, (challenge) => key.assert(challenge))).toBe(401);
  await isOver(recovery.id);
  const applied = await Promise.all(Array.from({ length: 5 }, () => apply(recovery.id)));
  expect(applied).toEqual(Array.from({ length: 5 }, () => ({ status: 'Applied', waitMs: 0 })));
  expect(await logInBy(person.username, (challenge) => key.assert(challenge))).toBe(200);
  expect(await logInBy(person.username, (challenge) => person.client.factor(challenge))).toBe(401);
  expect((await person.client.get('/auth/credentials')).status).toBe(401);
  expect((await api.toldOf(person, 'RecoveryCompleted')).filter((to) => to === person.username)).toHaveLength(1);
});

test('the recovery of a person stops if the person was meanwhile deactivated or has removed the recovery key', async () => {
  const gone = await waitingOf();
  const cautious = await waitingOf();
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [gone.person.userId]);
  await api.change(orgId, 'UPDATE credentials SET date_removed = clock_timestamp() WHERE org_id = $1 AND id = $2', [
    cautious.person.recoveryKey.uuid,
  ]);
  for (const { recovery, person } of [gone, cautious]) {
    await isOver(recovery.id);
    expect(await apply(recovery.id)).toEqual({ status: 'Stopped', waitMs: 0 });
    expect(await api.toldOf(person, 'RecoveryStopped')).toContain(person.username);
  }
});

test('an unknown id is not found', async () => {
  await expect(apply('rcv-01abc-01abc-0123456789abcdef')).rejects.toMatchObject({ code: 'NotFound' });
});
