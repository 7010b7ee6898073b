import { waysOf } from '../../../../domain/change-requests';
import { type ActivityKind, CHANGE_ACTIVITY_KINDS } from '../../../../domain/policies';
import { newId } from '../../../../platform/ids';
import type { Person } from '../../../support/api';
import { errorId, type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());

const naming = (quorum: number, ...people: readonly Person[]) =>
  policyBody({
    action: {
      kind: 'RequestApproval',
      approvalGroups: [{ name: 'Finance', quorum, approvers: { userId: { in: people.map(({ userId }) => userId) } } }],
    },
  });
const create = async (body: unknown, by = parts.admin) => {
  const { status, headers, body: made } = await by.client.change('POST', '/v2/policies', body);
  expect(status).toBe(200);
  return { policyId: (made as { id: string }).id, warning: headers.get('strongroom-warning') };
};
const read = async (policyId: string) => (await parts.admin.client.get(`/v2/policies/${policyId}/reachability`)).body as object;

const ASKED_WITH = CHANGE_ACTIVITY_KINDS.map((kind): [ActivityKind, string] => [kind, waysOf(kind)[0]?.[0] ?? '']);

test.each(ASKED_WITH)(
  '200: for %s the warning lists only people who may request this activity',
  async (activityKind, permission) => {
    const orgId = await parts.api.createOrganization();
    const admin = await parts.api.createPerson(orgId);
    const asking = await parts.api.createPerson(orgId, { operations: [permission, 'Policies:Approvals:Approve'] });
    await parts.api.createPerson(orgId, { operations: ['Policies:Approvals:Approve'] });
    const { warning } = await create({ ...naming(1, asking), activityKind }, admin);
    expect(warning).toMatch(/^Unreachable: plc-\S+ group 1 cannot reach its quorum of 1 when asked by us-\S+$/);
    expect(warning).toContain(asking.userId);
  },
);

test('200: if the only listed approver can also be the requester, creation warns, and the warning is stored', async () => {
  const { policyId, warning } = await create(naming(1, parts.approver));
  expect(warning).toBe(`Unreachable: ${policyId} group 1 cannot reach its quorum of 1 when asked by ${parts.approver.userId}`);
  const group = { group: 0, name: 'Finance', quorum: 1, isForEveryone: false, hindered: [] };
  const initiators = [{ userId: parts.approver.userId, name: 'approver', have: 0 }];
  const summary = 'The group Finance needs 1 approval, which it cannot get when approver asks: too few people may approve.';
  expect(await read(policyId)).toEqual({
    policyId,
    isInForce: true,
    isReachable: false,
    groups: [{ ...group, initiators, summary }],
    warnings: [
      {
        id: expect.stringMatching(/^rwn-/),
        cause: 'Create of Policy',
        userId: parts.admin.userId,
        dateCreated: expect.stringMatching(/Z$/),
        groups: [{ ...group, initiators }],
      },
    ],
  });
});

test('200: a group that can reach its quorum for every initiator does not cause a warning', async () => {
  const { policyId, warning } = await create(naming(1, parts.admin, parts.approver));
  expect(warning).toBeNull();
  expect(await read(policyId)).toEqual({ policyId, isInForce: true, isReachable: true, groups: [], warnings: [] });
});

test('200: the deactivation of a user can make a quorum unreachable, and its answer warns the caller', async () => {
  const [one, two] = [await parts.api.createPerson(parts.orgId), await parts.api.createPerson(parts.orgId)];
  const { policyId } = await create(naming(1, one, two));
  const first = await parts.admin.client.change('PUT', `/auth/users/${one.userId}/deactivate`, {});
  expect(first.headers.get('strongroom-warning')).toMatch(
    `${policyId} group 1 cannot reach its quorum of 1 when asked by ${two.userId}`,
  );
  const second = await parts.admin.client.change('PUT', `/auth/users/${two.userId}/deactivate`, {});
  expect(second.headers.get('strongroom-warning')).toMatch(`${policyId} group 1 cannot reach its quorum of 1 for any initiator`);
  expect(await read(policyId)).toMatchObject({
    groups: [{ isForEveryone: true, hindered: [{ obstacle: 'Deactivated' }, { obstacle: 'Deactivated' }] }],
    warnings: [{ cause: `Deactivate of User ${two.userId}` }, { cause: `Deactivate of User ${one.userId}` }],
  });
});

test('200: an organisation may refuse policies with an unreachable quorum, and then nothing is stored', async () => {
  const set = (refuseUnreachable: boolean) => parts.admin.client.change('PUT', '/organizations/settings', { refuseUnreachable });
  expect((await set(true)).status).toBe(200);
  const refused = await parts.admin.client.change('POST', '/v2/policies', { ...naming(1, parts.approver), name: 'Never stored' });
  expect(refused.status).toBe(409);
  expect(errorId(refused.body)).toBe('Unreachable');
  const { body } = await parts.admin.client.get('/v2/policies?limit=100');
  expect((body as { items: { name: string }[] }).items.map(({ name }) => name)).not.toContain('Never stored');
  expect((await set(false)).status).toBe(200);
});

test('403: without Policies:Read', async () => {
  const { policyId } = await create(policyBody());
  const other = await parts.api.createPerson(parts.orgId, { operations: ['Policies:Create'] });
  expect((await other.client.get(`/v2/policies/${policyId}/reachability`)).status).toBe(403);
});

test('404: a policy that is unknown or belongs to another organisation, and a text that is not an id', async () => {
  const stranger = await parts.stranger();
  const { policyId } = await create(policyBody());
  for (const { status, body } of [
    await parts.admin.client.get(`/v2/policies/${newId('policy')}/reachability`),
    await stranger.client.get(`/v2/policies/${policyId}/reachability`),
    await parts.admin.client.get('/v2/policies/nothing/reachability'),
  ]) {
    expect(status).toBe(404);
    expect(errorId(body)).toBe('NotFound');
  }
});
