import { newId } from '../../../../platform/ids';
import type { Waiting } from '../../../support/permission-api';
import { errorId, firstIssue } from '../../../support/policy-api';
import { type Entry, PAYEE, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const create = (set: Record<string, unknown> = {}, by = parts.admin) =>
  by.client.change('POST', '/registry/addresses', {
    name: 'Exchange',
    network: 'EthereumSepolia',
    address: parts.freshAddress(),
    ...set,
  });
const settings = (change: Record<string, unknown>) => parts.admin.client.change('PUT', '/organizations/settings', change);

test('200: an address is stored in its canonical form, and is active at once without a cooling period', async () => {
  const { status, body } = await create({ address: PAYEE.toLowerCase() });
  expect([status, body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^adr-/),
      name: 'Exchange',
      network: 'EthereumSepolia',
      address: PAYEE,
      status: 'Active',
      dateCreated: expect.any(String),
      dateUpdated: expect.any(String),
      dateActive: expect.any(String),
    },
  ]);
  const { dateActive } = body as Entry;
  expect(new Date(dateActive).getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('200: an address becomes active after the cooling period, or after the remainder of an earlier, longer period', async () => {
  const hours = async () => {
    const { dateActive, dateCreated } = parts.body<Entry & { dateCreated: string }>(await create());
    return Math.round((Date.parse(dateActive) - Date.parse(dateCreated)) / 3_600_000);
  };
  parts.body(await settings({ registryCoolingHours: 24 }));
  expect(await hours()).toBe(24);
  parts.body(await settings({ registryCoolingHours: 0 }));
  expect(await hours()).toBe(24);
  parts.body(await settings({ registryCoolingHours: 48 }));
  expect(await hours()).toBe(48);
});

test('200: an address may also be entered for another network, and may be entered again after its entry was deleted', async () => {
  const address = parts.freshAddress();
  const { id } = parts.body<Entry>(await create({ address }));
  expect((await create({ address, network: 'Ethereum' })).status).toBe(200);
  parts.body(await parts.admin.client.change('DELETE', `/registry/addresses/${id}`));
  expect(await create({ address })).toMatchObject({ status: 200, body: { id: expect.not.stringMatching(id) } });
});

test('202: if a policy requires approval, the entry appears and its cooling period begins only when people approve', async () => {
  const policyId = await parts.hold('Registry:Addresses:Modify');
  const address = parts.freshAddress();
  const change = parts.body<Waiting>(await create({ address }), 202);
  expect(change).toMatchObject({ kind: 'Alias', operationKind: 'Create', status: 'Pending', body: { status: 'Active' } });
  expect((await parts.admin.client.get(`/registry/addresses/${change.entityId}`)).status).toBe(404);
  expect(errorId((await create({ address })).body)).toBe('ChangePending');
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect((await parts.admin.client.get(`/registry/addresses/${change.entityId}`)).body).toMatchObject({ id: change.entityId });
  await parts.drop(policyId);
});

test('202: an address that was added while the request waited is not added twice', async () => {
  const address = parts.freshAddress();
  const policyId = await parts.hold('Registry:Addresses:Modify');
  const change = parts.body<Waiting>(await create({ address }), 202);
  const { id, ...later } = parts.body<Waiting>(await create({ address: parts.freshAddress() }), 202);
  expect(later.entityId).not.toBe(change.entityId);
  await parts.db.withOrg(parts.orgId, (tx) =>
    tx.query(
      `INSERT INTO registry_addresses (org_id, id, name, network, address, date_active)
       SELECT $1, $2, 'Somebody', network, address, clock_timestamp()
       FROM (SELECT change ->> 'network' AS network, change ->> 'address' AS address FROM change_requests WHERE id = $3) AS c`,
      [parts.orgId, newId('registryAddress'), change.id],
    ),
  );
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Failed' });
  expect(await parts.row(id)).toMatchObject({ status: 'Pending' });
  await parts.drop(policyId);
});

test.each<[string, Record<string, unknown>, string]>([
  ['a checksum that is wrong', { address: PAYEE.replace('C51812', 'c51812') }, 'body.address'],
  [
    'an address in the format of a different kind of network',
    { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
    'body.address',
  ],
  ['an empty address', { address: '' }, 'body.address'],
  ['a network that the service lists but does not support', { network: 'Algorand' }, 'body.network'],
  ['a name of 101 characters', { name: 'n'.repeat(101) }, 'body.name'],
  ['a name of spaces', { name: '  ' }, 'body.name'],
  ['a date chosen by the caller', { dateActive: '2026-01-01T00:00:00Z' }, 'body.dateActive'],
])('400: for %s, the error contains the path, and nothing is stored', async (_title, set, path) => {
  const before = await parts.db.read(parts.orgId).select('SELECT id FROM registry_addresses');
  const { status, body } = await create(set);
  expect([status, firstIssue(body)]).toEqual([400, path]);
  expect(await parts.db.read(parts.orgId).select('SELECT id FROM registry_addresses')).toHaveLength(before.length);
});

test('403: without Registry:Addresses:Create, and when a policy blocks the request', async () => {
  const reading = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Read'] });
  expect((await create({}, reading)).status).toBe(403);
  const policyId = await parts.hold('Registry:Addresses:Modify', { action: { kind: 'Block' } });
  expect(errorId((await create()).body)).toBe('PolicyBlocked');
  await parts.drop(policyId);
});

test('409: the network already has an entry for the address, in any spelling; of two requests at once, only one succeeds', async () => {
  const address = `0x${'ab'.repeat(20)}`;
  const both = await Promise.all([create({ address }), create({ address: address.toUpperCase().replace('0X', '0x') })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});
