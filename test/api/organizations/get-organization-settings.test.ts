import { startApi, type TestApi } from '../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const PATH = '/organizations/settings';

test('200: an organisation without own settings shows the defaults', async () => {
  const admin = await api.createPerson(await api.createOrganization({}));
  const { status, body } = await admin.client.get(PATH);
  expect(status).toBe(200);
  expect(body).toEqual({
    keyImport: false,
    keyExport: false,
    keyExportWaitHours: 24,
    grantBeyondOwnRights: false,
    externalIdRequired: false,
    equalPaymentHoldMinutes: 0,
    sessionMinutes: 720,
    recoveryWaitHours: 24,
    voterCoolingHours: 24,
    approvalMails: true,
    registryCoolingHours: 0,
    serviceAccountsMayVote: false,
    refuseUnreachable: false,
    sso: { provider: null, socialProviders: [] },
    version: 1,
  });
});

test('400: an unknown member of the query is refused', async () => {
  const admin = await api.createPerson(await api.createOrganization());
  expect((await admin.client.get(`${PATH}?orgId=or-1`)).status).toBe(400);
});

test('403: without the permission, and for an end user', async () => {
  const orgId = await api.createOrganization();
  const updating = await api.createPerson(orgId, { operations: ['Orgs:Settings:Update'] });
  expect((await updating.client.get(PATH)).status).toBe(403);
  expect((await (await api.createPerson(orgId, { kind: 'EndUser' })).client.get(PATH)).status).toBe(403);
  expect((await (await api.createPerson(orgId, { operations: ['Orgs:Settings:Read'] })).client.get(PATH)).status).toBe(200);
});
