import { type RecoveryApi, startRecoveryApi } from '../../../support/recovery-api';

let api: RecoveryApi;
let orgId: string;
beforeAll(async () => {
  api = await startRecoveryApi();
  orgId = await api.createOrganization();
});
afterAll(() => api?.close());

const send = (body: unknown) => api.call('POST', '/auth/recover/user/code', body);

test('200: the code is mailed only to a person with a recovery key; the answer is the same for all', async () => {
  const plain = await api.createPerson(orgId);
  const gone = await api.createRecoverable(orgId);
  await api.change(orgId, 'UPDATE users SET is_active = false WHERE org_id = $1 AND id = $2', [gone.userId]);
  const person = await api.createRecoverable(orgId);
  const unknown = 'or-01abc-01abc-0123456789abcdef';
  const asked = [
    { orgId, username: plain.username },
    { orgId, username: gone.username },
    { orgId, username: 'nobody@example.com' },
    { orgId: unknown, username: person.username },
    { orgId, username: person.username },
  ];
  const answers: string[] = [];
  for (const body of asked) {
    const { status, text } = await send(body);
    answers.push(`${status} ${text}`);
  }
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^200 /);
  await api.mailedCode(person, 'RecoveryCode');
  expect((await api.mails(orgId, 'RecoveryCode')).map(({ to }) => to)).toEqual([person.username]);
});

test('400: a body without name or organisation', async () => {
  for (const body of [{ orgId }, { username: 'x' }, { orgId, username: '' }, { orgId, username: 'x', code: 'x' }]) {
    expect(await send(body)).toMatchObject({ status: 400, body: { error: { id: 'InvalidRequest' } } });
  }
});
