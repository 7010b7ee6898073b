import type { Waiting } from '../../../support/permission-api';
import { errorId, firstIssue } from '../../../support/policy-api';
import { ABI, PAYEE, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const create = (set: Record<string, unknown> = {}, by = parts.admin) =>
  by.client.change('POST', '/registry/contract-schemas', {
    name: 'Token',
    network: 'EthereumSepolia',
    contract: parts.freshAddress(),
    abi: ABI,
    ...set,
  });

const nested = (depth: number): unknown =>
  depth === 0 ? { type: 'uint256' } : { type: 'tuple[]', components: [nested(depth - 1)] };

test('200: a schema is stored as it was sent, with the contract address in its canonical form', async () => {
  expect(await create({ contract: PAYEE.toLowerCase() })).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^csc-/), contract: PAYEE, abi: ABI, status: 'Active' },
  });
});

test.each<[string, unknown]>([
  ['an event', { type: 'event', name: 'Paid', inputs: [{ name: 'to', type: 'address', indexed: true }], anonymous: false }],
  ['tuples of the maximum depth', { type: 'error', name: 'Odd', inputs: [nested(4)] }],
  ['a constructor, as an older compiler wrote it', { type: 'constructor', inputs: [], payable: false }],
  ['a fallback function', { type: 'fallback', stateMutability: 'payable' }],
])('200: %s', async (_title, entry) => {
  expect(await create({ abi: [entry] })).toMatchObject({ status: 200, body: { abi: [entry] } });
});

test('202: if a policy requires approval, the schema exists once people have approved', async () => {
  const policyId = await parts.hold('Registry:ContractSchemas:Modify');
  const change = parts.body<Waiting>(await create(), 202);
  expect(change).toMatchObject({ kind: 'SmartContract', operationKind: 'Create', body: { abi: ABI } });
  const path = `/registry/contract-schemas/${change.entityId}`;
  expect((await parts.admin.client.get(path)).status).toBe(404);
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect((await parts.admin.client.get(path)).status).toBe(200);
  await parts.drop(policyId);
});

test.each<[string, Record<string, unknown>, string]>([
  ['no entries', { abi: [] }, 'body.abi'],
  ['text', { abi: JSON.stringify(ABI) }, 'body.abi'],
  ['1,001 entries', { abi: Array.from({ length: 1_001 }, () => ABI[0]) }, 'body.abi'],
  ['an unknown kind of entry', { abi: [{ type: 'struct', name: 'A' }] }, 'body.abi.0.type'],
  ['an unknown type', { abi: [{ type: 'error', name: 'A', inputs: [{ type: 'money' }] }] }, 'body.abi.0.inputs.0'],
  ['tuples beyond the maximum depth', { abi: [{ type: 'error', name: 'A', inputs: [nested(5)] }] }, 'body.abi.0.inputs.0'],
  ['an unknown member', { abi: [{ ...ABI[0], secret: 1 }] }, 'body.abi.0.secret'],
  ['a contract that is not an address', { contract: '0x1' }, 'body.contract'],
])('400: for %s, the error contains the path', async (_title, set, path) => {
  const { status, body } = await create(set);
  expect([status, firstIssue(body)?.startsWith(path)]).toEqual([400, true]);
});

test('403: without Registry:ContractSchemas:Create', async () => {
  const without = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Create'] });
  expect((await create({}, without)).status).toBe(403);
});

test('409: the contract already has a schema', async () => {
  const contract = parts.freshAddress();
  parts.body(await create({ contract }));
  expect(errorId((await create({ contract, name: 'Another' })).body)).toBe('Conflict');
});
