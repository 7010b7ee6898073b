import { IntegrationEntity } from '../../../entities/integrations/integration.entity';
import { type IntegrationApi, startIntegrationApi } from '../../support/integration-api';
import { policyBody } from '../../support/policy-api';
import { connectVendor } from '../../support/vendors';

let parts: IntegrationApi;
beforeAll(async () => {
  parts = await startIntegrationApi();
});
afterAll(() => parts?.close());

const SCORE = {
  rule: {
    kind: 'KytBTransactionPrescreening',
    configuration: {
      riskScoreThreshold: 50,
      fallbackBehaviours: {
        skipUnscreenableTransaction: false,
        skipUnsupportedNetwork: false,
        skipUnsupportedAsset: false,
        skipKytBFailure: false,
      },
    },
  },
  action: { kind: 'Block' },
};

test('200: the credentials are deleted, and a second call changes nothing', async () => {
  const admin = await parts.admin();
  await connectVendor(parts.db, admin.orgId, 'KytA');
  for (const _ of [1, 2]) {
    const { status, body } = await admin.client.change('DELETE', '/integrations/KytA', {});
    expect([status, body]).toMatchObject([200, { kind: 'KytA', status: 'Inactive' }]);
  }
  const [row] = await parts.db.read(admin.orgId).rows(IntegrationEntity, '');
  expect(row?.sealedCredentials).toBeNull();
});

test('200: policies that need the vendor stay, but a policy that needs the vendor can no longer be created or changed', async () => {
  const admin = await parts.admin();
  const create = () => admin.client.change('POST', '/v2/policies', policyBody(SCORE));
  const refused = { error: { id: 'InvalidRequest', details: { issues: [{ path: 'body.rule.kind' }] } } };
  expect(await create()).toMatchObject({ status: 400, body: refused });
  await connectVendor(parts.db, admin.orgId, 'KytB');
  const { status, body } = await create();
  expect(status).toBe(200);
  await admin.client.change('DELETE', '/integrations/KytB', {});
  expect(await create()).toMatchObject({ status: 400, body: refused });
  const path = `/v2/policies/${String(body['id'])}`;
  expect(await admin.client.change('PUT', path, policyBody(SCORE))).toMatchObject({ status: 400, body: refused });
  expect((await admin.client.get(path)).body).toMatchObject({ status: 'Active' });
});

test('400: a vendor that does not exist', async () => {
  const admin = await parts.admin();
  expect((await admin.client.change('DELETE', '/integrations/KytC', {})).status).toBe(400);
});

test('403: without the permission', async () => {
  const { orgId } = await parts.admin();
  const { client } = await parts.colleague(orgId, ['Integrations:Read']);
  expect((await client.change('DELETE', '/integrations/KytA', {})).status).toBe(403);
});
