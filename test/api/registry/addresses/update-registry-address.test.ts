import { newId } from '../../../../platform/ids';
import type { Waiting } from '../../../support/permission-api';
import { errorId, firstIssue } from '../../../support/policy-api';
import { type Entry, OTHER_PAYEE, type RegistryApi, startRegistryApi } from '../../../support/registry-api';

let parts: RegistryApi;
beforeAll(async () => {
  parts = await startRegistryApi();
});
afterAll(() => parts?.close());

const update = (id: string, body: unknown, by = parts.admin) => by.client.change('PUT', `/registry/addresses/${id}`, body);

test('200: a new name changes nothing else; a new address starts the cooling period and raises the policy epoch', async () => {
  const { id, address, dateActive } = await parts.enter({ name: 'Old name' });
  parts.body(await parts.admin.client.change('PUT', '/organizations/settings', { registryCoolingHours: 24 }));
  const epoch = await parts.epoch();
  expect(await update(id, { name: 'New name', address })).toMatchObject({ status: 200, body: { name: 'New name', dateActive } });
  expect(await parts.epoch()).toBe(epoch);
  const moved = parts.body<Entry>(await update(id, { name: 'New name', address: OTHER_PAYEE.toLowerCase() }));
  expect(moved).toMatchObject({ address: OTHER_PAYEE, status: 'Active' });
  expect(Date.parse(moved.dateActive) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  expect(await parts.epoch()).toBe(epoch + 1);
});

test('200: a body with the current values does not need an approval', async () => {
  const { id, name, address } = await parts.enter();
  const policyId = await parts.hold('Registry:Addresses:Modify');
  expect((await update(id, { name, address })).status).toBe(200);
  await parts.drop(policyId);
});

test('202: if a policy requires approval, the entry stays unchanged until people approve', async () => {
  const { id, address } = await parts.enter({ name: 'Before' });
  const policyId = await parts.hold('Registry:Addresses:Modify');
  const change = parts.body<Waiting>(await update(id, { name: 'After', address }), 202);
  expect(change).toMatchObject({ kind: 'Alias', operationKind: 'Update', entityId: id, body: { name: 'After' } });
  expect(await parts.entry(id)).toMatchObject({ name: 'Before' });
  expect(errorId((await update(id, { name: 'Third', address })).body)).toBe('ChangePending');
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect(await parts.entry(id)).toMatchObject({ name: 'After', version: 2 });
  await parts.drop(policyId);
});

test('202: an entry that was changed after the request stays as it is', async () => {
  const { id, address } = await parts.enter({ name: 'Before' });
  const policyId = await parts.hold('Registry:Addresses:Modify');
  const change = parts.body<Waiting>(await update(id, { name: 'After', address }), 202);
  await parts.db.withOrg(parts.orgId, (tx) =>
    tx.query(`UPDATE registry_addresses SET name = 'Meanwhile', version = version + 1 WHERE org_id = $1 AND id = $2`, [
      parts.orgId,
      id,
    ]),
  );
  await parts.decide(change.approvalId, 'Approved');
  expect(await parts.review(change.id)).toEqual({ outcome: 'Ended', status: 'Failed' });
  expect(await parts.entry(id)).toMatchObject({ name: 'Meanwhile' });
  await parts.drop(policyId);
});

test.each<[string, (entry: Entry) => unknown, string]>([
  ['no address', ({ name }) => ({ name }), 'body.address'],
  ['no name', ({ address }) => ({ address }), 'body.name'],
  ['an invalid address', ({ name }) => ({ name, address: '0x12' }), 'body.address'],
  ['a different network', ({ name, address }) => ({ name, address, network: 'Ethereum' }), 'body.network'],
])('400: for %s, the error contains the path', async (_title, bodyOf, path) => {
  const entry = await parts.enter();
  const { status, body } = await update(entry.id, bodyOf(entry));
  expect([status, firstIssue(body)]).toEqual([400, path]);
  expect(await parts.entry(entry.id)).toMatchObject({ version: 1 });
});

test('403: without Registry:Addresses:Update, and when a policy blocks the request', async () => {
  const { id, address } = await parts.enter();
  const adding = await parts.api.createPerson(parts.orgId, { operations: ['Registry:Addresses:Create'] });
  expect((await update(id, { name: 'After', address }, adding)).status).toBe(403);
  const policyId = await parts.hold('Registry:Addresses:Modify', { action: { kind: 'Block' } });
  expect(errorId((await update(id, { name: 'After', address })).body)).toBe('PolicyBlocked');
  expect(await parts.entry(id)).toMatchObject({ version: 1 });
  await parts.drop(policyId);
});

test('404: an entry that is unknown or belongs to another organisation', async () => {
  const { id, address } = await parts.enter();
  const body = { name: 'Stolen', address };
  expect((await update(newId('registryAddress'), body)).status).toBe(404);
  expect((await update(id, body, await parts.stranger())).status).toBe(404);
});

test('409: another entry has the address, or the entry is deleted', async () => {
  const other = await parts.enter();
  const { id, name, address } = await parts.enter();
  expect(errorId((await update(id, { name, address: other.address })).body)).toBe('Conflict');
  parts.body(await parts.admin.client.change('DELETE', `/registry/addresses/${id}`));
  expect(errorId((await update(id, { name: 'After', address })).body)).toBe('WrongState');
});
