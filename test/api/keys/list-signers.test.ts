import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { routeOf } from '../../../domain/routes';
import { dataConverterOf } from '../../../platform/payload-codec';
import { type Person, startApi, type TestApi } from '../../support/api';
import { openTimeSkipping } from '../../support/temporal';
import { refusal } from '../../support/wallet-api';
import { WORKFLOW_BUNDLE } from '../../support/workflow-bundle';

const DATA_KEK = Buffer.alloc(32, 7);
const SIGNER = { signerId: 'sgn-1', encryptionKey: Buffer.alloc(32, 9).toString('base64') };

let environment: TestWorkflowEnvironment;
let api: TestApi;
let admin: Person;
beforeAll(async () => {
  environment = await openTimeSkipping();
  api = await startApi({ temporalAddress: environment.address, dataKek: DATA_KEK.toString('hex') });
  admin = await api.createPerson(await api.createOrganization());
}, 120_000);
afterAll(async () => {
  await api?.close();
  await environment?.teardown();
});

test('200: the list contains the signer with its public key for the encryption of shares', async () => {
  const { main, signer } = routeOf(admin.orgId);
  const connection = environment.nativeConnection;
  const dataConverter = dataConverterOf(DATA_KEK, 'default');
  const workflows = await Worker.create({ connection, taskQueue: main, workflowBundle: WORKFLOW_BUNDLE, dataConverter });
  const activities = { readSigner: async () => SIGNER };
  const worker = await Worker.create({ connection, taskQueue: signer, activities, dataConverter });
  const { status, body } = await workflows.runUntil(worker.runUntil(admin.client.get('/signers')));
  expect([status, body]).toEqual([200, { clusters: [{ clusterId: 'software', signers: [SIGNER] }] }]);
});

test('403: without Signers:ListSigners', async () => {
  const person = await api.createPerson(admin.orgId, { operations: ['Keys:Read'] });
  expect(await person.client.get('/signers')).toMatchObject(refusal(403, 'Forbidden'));
});

test('503: the signer does not answer, and the caller learns this within the time limit', async () => {
  expect(await admin.client.get('/signers')).toMatchObject(refusal(503, 'NotReady'));
});
