import { foundOrganization } from '../../../application/organizations/organizations';
import { newId } from '../../../platform/ids';
import type { Person } from '../../support/api';
import { type PermissionApi, startPermissionApi } from '../../support/permission-api';
import { errorId } from '../../support/policy-api';

type Listed = { readonly id: string; readonly name: string; readonly isImmutable: boolean };

let parts: PermissionApi;
let orgId: string;
let admin: Person;
let roles: readonly Listed[];
beforeAll(async () => {
  parts = await startPermissionApi();
  orgId = newId('organization');
  await parts.db.withOrg(orgId, (tx) => foundOrganization(tx, 'Founded', null));
  admin = await parts.api.createPerson(orgId, { name: 'admin' });
  const { items } = parts.body<{ items: Listed[] }>(await admin.client.get('/permissions'));
  roles = items.filter(({ name }) => ['Approver', 'Initiator', 'Viewer', 'Auditor'].includes(name));
});
afterAll(() => parts?.close());

const idOf = (role: string) => roles.find(({ name }) => name === role)?.id ?? '';
const holderOf = async (role: string) => {
  const person = await parts.api.createPerson(orgId, { operations: [] });
  parts.body(await parts.assign(idOf(role), person.userId, admin));
  return person;
};

test('a new organisation has the four managed roles, and no person can change them', async () => {
  expect(roles.map(({ name, isImmutable }) => `${name} ${isImmutable}`).sort()).toEqual([
    'Approver true',
    'Auditor true',
    'Initiator true',
    'Viewer true',
  ]);
  const path = `/permissions/${idOf('Viewer')}`;
  for (const answer of [
    await admin.client.change('PUT', path, { operations: ['Wallets:Create'] }),
    await admin.client.change('PUT', path, { name: 'Mine' }),
    await admin.client.change('PUT', `${path}/archive`, { isArchived: true }),
  ])
    expect([answer.status, errorId(answer.body)]).toEqual([409, 'WrongState']);
  const named = await admin.client.change('POST', '/permissions', { name: 'Viewer', operations: ['Keys:Read'] });
  expect([named.status, errorId(named.body)]).toEqual([409, 'Conflict']);
});

test.each([
  ['Viewer', 403, 403, 403],
  ['Auditor', 403, 403, 200],
  ['Approver', 404, 403, 403],
  ['Initiator', 403, 404, 403],
])('role %s: a vote gets status %d, a transfer %d, the list of users %d', async (role, vote, transfer, users) => {
  const { client } = await holderOf(role);
  expect((await client.get('/v2/policy-approvals?status=Pending')).status).toBe(200);
  expect((await client.get('/wallets')).status).toBe(200);
  expect((await client.get('/auth/users')).status).toBe(users);
  const decision = { value: 'Approved' };
  const voted = await client.change('POST', `/v2/policy-approvals/${newId('approval')}/decisions`, decision);
  expect(voted.status).toBe(vote);
  const body = { kind: 'Native', to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', amount: '1' };
  expect((await client.change('POST', `/wallets/${newId('wallet')}/transfers`, body)).status).toBe(transfer);
  expect((await client.change('POST', '/wallets', { network: 'EthereumSepolia' })).status).toBe(403);
});
