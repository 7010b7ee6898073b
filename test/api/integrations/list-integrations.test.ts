import { type IntegrationApi, startIntegrationApi } from '../../support/integration-api';
import { connectVendor } from '../../support/vendors';

let parts: IntegrationApi;
beforeAll(async () => {
  parts = await startIntegrationApi();
});
afterAll(() => parts?.close());

test('200: every vendor that can be connected is listed; a vendor without a connection is inactive', async () => {
  const admin = await parts.admin();
  await connectVendor(parts.db, admin.orgId, 'KytB');
  const { status, body } = await admin.client.get('/integrations');
  expect([status, body]).toEqual([
    200,
    {
      items: [
        { kind: 'KytA', status: 'Inactive' },
        {
          kind: 'KytB',
          id: expect.stringMatching(/^int-/),
          status: 'Active',
          dateCreated: expect.any(String),
          dateUpdated: expect.any(String),
        },
        { kind: 'TravelRule', status: 'Inactive' },
      ],
    },
  ]);
});

test('400: an unknown query parameter', async () => {
  const admin = await parts.admin();
  expect((await admin.client.get('/integrations?kind=KytA')).status).toBe(400);
});

test('403: without the permission', async () => {
  const { orgId } = await parts.admin();
  const { client } = await parts.colleague(orgId, ['Wallets:Read']);
  expect((await client.get('/integrations')).status).toBe(403);
});
