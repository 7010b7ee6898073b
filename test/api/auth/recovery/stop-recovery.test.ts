import { applyWaiting } from '../../../../application/recovery/waiting-recoveries';
import { type RecoveryApi, startRecoveryApi } from '../../../support/recovery-api';

let api: RecoveryApi;
let orgId: string;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
  await api.setWait(orgId, 24);
});
afterAll(() => api?.close());

type Waiting = { readonly id: string; readonly dateEffective: string };

const waitingOf = async (given: Parameters<RecoveryApi['createRecoverable']>[1] = { operations: [] }, org = orgId) => {
  const person = await api.createRecoverable(org, given);
  const { answer, key } = await api.recover(person);
  expect(answer.status).toBe(200);
  return { person, key, recovery: answer.body['recovery'] as Waiting };
};
const stop = (
  { client }: Awaited<ReturnType<typeof waitingOf>>['person'] | Awaited<ReturnType<RecoveryApi['createPerson']>>,
  id: string,
) => client.change('DELETE', `/auth/recover/user/${id}`);
const apply = (id: string) => applyWaiting({ ...api.services, db: api.db }, orgId, id);
const logInBy = async (username: string, factor: (challenge: string) => unknown) =>
  (await api.logIn({ orgId, username }, (challenge) => ({ firstFactor: factor(challenge) }))).status;

test('200: while a recovery waits, the former credentials stay valid, and each of them can stop the recovery', async () => {
  const { person, key, recovery } = await waitingOf();
  const hours = (Date.parse(recovery.dateEffective) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  expect(await logInBy(person.username, (challenge) => person.client.factor(challenge))).toBe(200);
  expect(await logInBy(person.username, (challenge) => key.assert(challenge))).toBe(401);

  const { status, body } = await stop(person, recovery.id);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: recovery.id,
    kind: 'RecoveryKey',
    userId: person.userId,
    username: person.username,
    status: 'Stopped',
    dateCreated: expect.any(String),
    dateEffective: recovery.dateEffective,
    dateEnded: expect.any(String),
    endedBy: person.userId,
  });
  expect(await apply(recovery.id)).toEqual({ status: 'Stopped', waitMs: 0 });
  expect(await logInBy(person.username, (challenge) => person.client.factor(challenge))).toBe(200);
  const [row] = await api.db
    .read(orgId)
    .select<{ kept: unknown }>('SELECT new_credentials AS kept FROM recoveries WHERE id = $1', [recovery.id]);
  expect(row?.kept).toEqual([]);
});

test('200: the people concerned are notified when a recovery begins and when it stops; an administrator may stop it too', async () => {
  const org = await api.createOrganization();
  await api.setWait(org, 1);
  const admin = await api.createPerson(org, { name: 'admin' });
  await api.createPerson(org, { name: 'reader', operations: ['Wallets:Read'] });
  await api.createPerson(org, { name: 'program', isServiceAccount: true });
  const { person, recovery } = await waitingOf({ operations: [] }, org);
  const concerned = [admin.username, person.username].sort();
  expect(await api.toldOf(person, 'RecoveryStarted')).toEqual(concerned);
  expect(await stop(admin, recovery.id)).toMatchObject({ status: 200, body: { status: 'Stopped', endedBy: admin.userId } });
  expect(await api.toldOf(person, 'RecoveryStopped')).toEqual(concerned);
});

test('200: of ten requests at once to stop a recovery, exactly one is carried out', async () => {
  const { person, recovery } = await waitingOf();
  const path = `/auth/recover/user/${recovery.id}`;
  const actions = await Promise.all(Array.from({ length: 10 }, () => person.client.userAction('DELETE', path, '{}')));
  const answers = await Promise.all(
    actions.map((action) => person.client.send({ method: 'DELETE', path, text: '{}', headers: { 'x-svc-useraction': action } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});

test('409: another recovery of the person is already waiting, even if the wait has been shortened since', async () => {
  const { person } = await waitingOf();
  const second = await api.recover(person);
  expect(second.answer).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
  await api.setWait(orgId, 0);
  expect((await api.recover(person)).answer.status).toBe(409);
  await api.setWait(orgId, 24);
});

test('409: the recovery has ended', async () => {
  const { person, recovery } = await waitingOf();
  await stop(person, recovery.id);
  expect(await stop(person, recovery.id)).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
});

test("404: a caller without full rights stops another user's recovery; a recovery of another organisation; an unknown id", async () => {
  const { recovery } = await waitingOf();
  const other = await api.createPerson(orgId, { operations: ['Auth:Users:Update'] });
  const foreigner = await api.createPerson(await api.createOrganization());
  for (const caller of [other, foreigner]) {
    expect(await stop(caller, recovery.id)).toMatchObject({ status: 404, body: { error: { id: 'NotFound' } } });
  }
  expect((await stop(other, 'rcv-01abc-01abc-0123456789abcdef')).status).toBe(404);
  expect((await stop(other, 'nonsense')).status).toBe(404);
});

test('403: without a user action', async () => {
  const { person, recovery } = await waitingOf();
  const answer = await person.client.send({ method: 'DELETE', path: `/auth/recover/user/${recovery.id}`, text: '{}' });
  expect(answer).toMatchObject({ status: 403, body: { error: { id: 'UserActionInvalid' } } });
});

test('400: a body that is not empty', async () => {
  const { person, recovery } = await waitingOf();
  expect((await person.client.change('DELETE', `/auth/recover/user/${recovery.id}`, { force: true })).status).toBe(400);
});
