import { credentialsOf } from '../../../application/integrations/integrations';
import { IntegrationEntity } from '../../../entities/integrations/integration.entity';
import { type IntegrationApi, startIntegrationApi } from '../../support/integration-api';
import { API_KEY, integrationSecrets } from '../../support/vendors';

let parts: IntegrationApi;
beforeAll(async () => {
  parts = await startIntegrationApi();
});
afterAll(() => parts?.close());

const opened = (orgId: string, kind: 'KytA' | 'TravelRule') =>
  credentialsOf(parts.db.read(orgId), integrationSecrets, { orgId, kind });

test('200: the vendor is connected; its credentials are stored sealed, and no answer contains them', async () => {
  const admin = await parts.admin();
  const { status, body } = await admin.client.change('PUT', '/integrations/KytA', { apiKey: API_KEY });
  expect([status, body]).toMatchObject([200, { kind: 'KytA', status: 'Active', id: expect.stringMatching(/^int-/) }]);
  expect(await opened(admin.orgId, 'KytA')).toEqual({ apiKey: API_KEY });
  const rows = await parts.db.read(admin.orgId).rows(IntegrationEntity, '');
  expect(JSON.stringify([body, rows])).not.toContain(API_KEY);
});

test('200: new credentials replace the old credentials', async () => {
  const admin = await parts.admin();
  const connect = (webhookSecret: string) =>
    admin.client.change('PUT', '/integrations/TravelRule', { apiKey: API_KEY, webhookSecret });
  const { body: first } = await connect('the-first-secret');
  const { body: second } = await connect('the-second-secret');
  expect(second['id']).toBe(first['id']);
  expect(await opened(admin.orgId, 'TravelRule')).toEqual({ apiKey: API_KEY, webhookSecret: 'the-second-secret' });
});

test.each([
  ['no key', 'KytA', {}, 'body.apiKey'],
  ['a key that cannot be sent in a header', 'KytA', { apiKey: 'with spaces and\nlines' }, 'body.apiKey'],
  ['a short key', 'KytA', { apiKey: 'short' }, 'body.apiKey'],
  [
    'a webhook secret for a vendor that sends no callbacks',
    'KytA',
    { apiKey: API_KEY, webhookSecret: 'some-secret' },
    'body.webhookSecret',
  ],
  ['no webhook secret for a vendor that signs its callbacks', 'TravelRule', { apiKey: API_KEY }, 'body.webhookSecret'],
  ['a vendor that does not exist', 'KytC', { apiKey: API_KEY }, 'params.integrationKind'],
])('400: for %s, the error contains the path, and nothing is stored', async (_what, kind, sent, path) => {
  const admin = await parts.admin();
  const { status, body } = await admin.client.change('PUT', `/integrations/${kind}`, sent);
  expect([status, body]).toMatchObject([400, { error: { details: { issues: [{ path }] } } }]);
  expect(await parts.db.read(admin.orgId).rows(IntegrationEntity, '')).toEqual([]);
});

test('403: without the permission', async () => {
  const { orgId } = await parts.admin();
  const { client } = await parts.colleague(orgId, ['Integrations:Read']);
  expect((await client.change('PUT', '/integrations/KytA', { apiKey: API_KEY })).status).toBe(403);
});
