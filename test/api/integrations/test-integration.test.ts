import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createIntegrationActivities } from '../../../activities/integrations/integrations';
import { INTEGRATION_KINDS } from '../../../domain/integrations';
import { routeOf } from '../../../domain/routes';
import { dataConverterOf } from '../../../platform/payload-codec';
import { type IntegrationApi, startIntegrationApi } from '../../support/integration-api';
import { openTimeSkipping } from '../../support/temporal';
import { connectVendor, INTEGRATION_KEK, integrationSecrets, startVendors, type Vendors } from '../../support/vendors';
import { WORKFLOW_BUNDLE } from '../../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
let parts: IntegrationApi;
let vendors: Vendors;
let workers: Worker[] = [];
let running: Promise<unknown>;
beforeAll(async () => {
  environment = await openTimeSkipping();
  [parts, vendors] = await Promise.all([startIntegrationApi(environment.address), startVendors()]);
  const vendorUrls = { KytA: vendors.url('KytA'), KytB: vendors.url('KytB') };
  const activities = createIntegrationActivities({ db: parts.db, integrationSecrets, vendorUrls });
  const shared = { connection: environment.nativeConnection, dataConverter: dataConverterOf(INTEGRATION_KEK, 'default') };
  const { main, vendor } = routeOf('');
  workers = await Promise.all([
    Worker.create({ ...shared, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE }),
    ...INTEGRATION_KINDS.map((kind) => Worker.create({ ...shared, taskQueue: vendor(kind), activities })),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
}, 120_000);
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await Promise.all([parts?.close(), vendors?.close()]);
  await environment?.teardown();
});

test('200: the answer states whether the vendor accepts the credentials, or why that is unknown', async () => {
  const admin = await parts.admin();
  const ask = async (kind: string) => (await admin.client.change('POST', `/integrations/${kind}/test`, {})).body;
  await connectVendor(parts.db, admin.orgId, 'KytA');
  expect(await ask('KytA')).toEqual({ ok: true });
  await vendors.tell('KytA', { behaviour: { kind: 'Error', status: 500 } });
  expect(await ask('KytA')).toEqual({ ok: false, failure: 'Failed' });
  await connectVendor(parts.db, admin.orgId, 'KytB', 'unknown-key');
  expect(await ask('KytB')).toEqual({ ok: false, failure: 'Refused' });
  await connectVendor(parts.db, admin.orgId, 'TravelRule');
  expect(await ask('TravelRule')).toEqual({ ok: false, failure: 'NotConfigured' });
});

test('400: a vendor that does not exist', async () => {
  const admin = await parts.admin();
  expect((await admin.client.change('POST', '/integrations/KytC/test', {})).status).toBe(400);
});

test('403: without the permission', async () => {
  const { orgId } = await parts.admin();
  const { client } = await parts.colleague(orgId, ['Integrations:Read']);
  expect((await client.change('POST', '/integrations/KytA/test', {})).status).toBe(403);
});

test('409: the vendor is not connected', async () => {
  const admin = await parts.admin();
  const { status, body } = await admin.client.change('POST', '/integrations/KytA/test', {});
  expect([status, body]).toMatchObject([409, { error: { id: 'WrongState' } }]);
});

test('503: Temporal cannot be reached, and the answer asks the caller to try again', async () => {
  const alone = await startIntegrationApi();
  const admin = await alone.admin();
  await connectVendor(alone.db, admin.orgId, 'KytA');
  const { status, body } = await admin.client.change('POST', '/integrations/KytA/test', {});
  expect([status, body]).toMatchObject([503, { error: { id: 'NotReady' } }]);
  await alone.close();
});
