import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { SEARCH_ATTRIBUTES, searchAttributesOf } from '../../platform/search-attributes';
import { registerSearchAttributes } from '../../worker/search-attributes';
import { openLocal } from '../support/temporal';

const NAMES = ['OrgId', 'WalletId', 'Network', 'Stage', 'ApprovalGroup', 'KeyStoreId', 'FleetKind', 'Deadline'];
const DEADLINE = new Date('2026-12-01T12:00:00.000Z');

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openLocal();
}, 120_000);
afterAll(() => environment?.teardown());

test('attributes that the namespace lacks are registered, and a second check finds them', async () => {
  const { nativeConnection, namespace = 'default' } = environment;
  expect(await registerSearchAttributes(nativeConnection, namespace)).toEqual(NAMES);
  expect(await registerSearchAttributes(nativeConnection, namespace)).toEqual([]);
});

test('the start of a workflow with every attribute is then accepted', async () => {
  const { client } = environment;
  const typedSearchAttributes = searchAttributesOf({ orgId: 'or-1', walletId: 'wa-1', network: 'EthereumSepolia' }).updateCopy([
    { key: SEARCH_ATTRIBUTES.stage, value: 'Approval' },
    { key: SEARCH_ATTRIBUTES.approvalGroup, value: ['gr-1', 'gr-2'] },
    { key: SEARCH_ATTRIBUTES.deadline, value: DEADLINE },
  ]);
  const handle = await client.workflow.start('nobody', { workflowId: 'x', taskQueue: 'nowhere', typedSearchAttributes });
  const { typedSearchAttributes: stored } = await handle.describe();
  expect(stored.get(SEARCH_ATTRIBUTES.walletId)).toBe('wa-1');
  expect(stored.get(SEARCH_ATTRIBUTES.approvalGroup)).toEqual(['gr-1', 'gr-2']);
  expect(stored.get(SEARCH_ATTRIBUTES.deadline)).toEqual(DEADLINE);
  await handle.terminate();
});
