import { type IntegrationApi, startIntegrationApi } from '../../support/integration-api';
import { API_KEY, connectVendor } from '../../support/vendors';

let parts: IntegrationApi;
beforeAll(async () => {
  parts = await startIntegrationApi();
});
afterAll(() => parts?.close());

test('200: the answer states whether the vendor is connected, and never contains the credentials', async () => {
  const admin = await parts.admin();
  expect((await admin.client.get('/integrations/KytA')).body).toEqual({ kind: 'KytA', status: 'Inactive' });
  await connectVendor(parts.db, admin.orgId, 'KytA');
  const { status, body } = await admin.client.get('/integrations/KytA');
  expect([status, body]).toMatchObject([200, { kind: 'KytA', status: 'Active' }]);
  expect(JSON.stringify(body)).not.toContain(API_KEY);
});

test('200: each organisation has its own connection', async () => {
  const [admin, other] = [await parts.admin(), await parts.admin()];
  await connectVendor(parts.db, other.orgId, 'KytA');
  expect((await admin.client.get('/integrations/KytA')).body).toEqual({ kind: 'KytA', status: 'Inactive' });
});

test('400: a vendor that does not exist', async () => {
  const admin = await parts.admin();
  expect((await admin.client.get('/integrations/KytC')).status).toBe(400);
});

test('403: without the permission', async () => {
  const { orgId } = await parts.admin();
  const { client } = await parts.colleague(orgId, ['Wallets:Read']);
  expect((await client.get('/integrations/KytA')).status).toBe(403);
});
