import { OrganizationEntity } from '../../../entities/organizations/organization.entity';
import { type Person, startApi, type TestApi } from '../../support/api';
import { firstIssue } from '../../support/policy-api';

let api: TestApi;
let orgId: string;
let admin: Person;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  orgId = await api.createOrganization();
  admin = await api.createPerson(orgId);
});

const PATH = '/organizations/settings';
const update = (body: unknown, by = admin) => by.client.change('PUT', PATH, body);
const row = () => api.database.db.read(orgId).row(OrganizationEntity, 'WHERE t.id = $1', [orgId]);

test('200: only the sent settings change, and only in this organisation', async () => {
  const stranger = await api.createPerson(await api.createOrganization());
  const first = await update({ sessionMinutes: 30, recoveryWaitHours: 72 });
  expect(first).toMatchObject({ status: 200, body: { sessionMinutes: 30, recoveryWaitHours: 72, version: 2 } });
  const second = await update({ externalIdRequired: true });
  expect(second.body).toMatchObject({ sessionMinutes: 30, externalIdRequired: true, version: 3 });
  expect((await admin.client.get(PATH)).body).toEqual(second.body);
  expect((await stranger.client.get(PATH)).body).toMatchObject({ sessionMinutes: 720, externalIdRequired: false, version: 1 });
});

test('200: a body with current values and an empty body change nothing', async () => {
  expect((await update({})).body).toMatchObject({ version: 1 });
  expect((await update({ sessionMinutes: 720, keyExport: false })).body).toMatchObject({ version: 1 });
});

test('200: a setting that decides who may vote raises the policy epoch, and another setting does not', async () => {
  const before = (await row())?.policyEpoch ?? 0;
  await update({ sessionMinutes: 60 });
  expect((await row())?.policyEpoch).toBe(before);
  await update({ voterCoolingHours: 24 });
  expect((await row())?.policyEpoch).toBe(before + 1);
});

test.each<[string, unknown, string]>([
  ['a session of four minutes', { sessionMinutes: 4 }, 'body.sessionMinutes'],
  ['a session of more than a week', { sessionMinutes: 10_081 }, 'body.sessionMinutes'],
  ['a wait of 73 hours', { recoveryWaitHours: 73 }, 'body.recoveryWaitHours'],
  ['a negative wait', { recoveryWaitHours: -1 }, 'body.recoveryWaitHours'],
  ['a wait of half an hour', { voterCoolingHours: 0.5 }, 'body.voterCoolingHours'],
  ['a wait of a month and an hour', { registryCoolingHours: 721 }, 'body.registryCoolingHours'],
  ['a text in place of a boolean', { keyExport: 'true' }, 'body.keyExport'],
  ['null', { keyExport: null }, 'body.keyExport'],
  ['a setting that only the operator changes', { serviceAccountsMayVote: true }, 'body.serviceAccountsMayVote'],
  ['the stored remainder of an earlier waiting time', { voterCoolingFloor: null }, 'body.voterCoolingFloor'],
  ['the id of another organisation', { orgId: 'or-1' }, 'body.orgId'],
])('400: for %s, the error contains the path', async (_title, body, path) => {
  const answer = await update(body);
  expect(answer.status).toBe(400);
  expect(firstIssue(answer.body)).toBe(path);
  expect(await row()).toMatchObject({ version: 1, settings: {} });
});

test('403: without the permission, and for a program and an end user', async () => {
  const body = { keyExport: true };
  expect((await update(body, await api.createPerson(orgId, { operations: ['Orgs:Settings:Read'] }))).status).toBe(403);
  expect((await update(body, await api.createPerson(orgId, { isServiceAccount: true }))).status).toBe(403);
  expect((await update(body, await api.createPerson(orgId, { kind: 'EndUser' }))).status).toBe(403);
  expect((await update(body, await api.createPerson(orgId, { operations: ['Orgs:Settings:Update'] }))).status).toBe(200);
});

test('409: the change is for a different version of the settings', async () => {
  expect((await update({ sessionMinutes: 30, version: 1 })).status).toBe(200);
  const { status, body } = await update({ sessionMinutes: 60, version: 1 });
  expect([status, body]).toMatchObject([409, { error: { id: 'Conflict', details: { version: 2 } } }]);
});

test('409: twenty changes for one version are sent at once, and exactly one is applied', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify({ sessionMinutes: 100 + index, version: 1 }));
  const actions = await Promise.all(texts.map((text) => admin.client.userAction('PUT', PATH, text)));
  const answers = await Promise.all(
    texts.map((text, index) =>
      admin.client.send({ method: 'PUT', path: PATH, text, headers: { 'x-svc-useraction': actions[index] ?? '' } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  expect(await row()).toMatchObject({ version: 2 });
});
