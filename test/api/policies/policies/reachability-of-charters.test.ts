import { charterStore } from '../../../../entities/charters/charter.store';
import type { Person } from '../../../support/api';
import { charterText } from '../../../support/charter-rows';
import { insertTransferOf } from '../../../support/explained';
import { type PolicyApi, policyBody, startPolicyApi } from '../../../support/policy-api';

let parts: PolicyApi;
let orgId: string;
let admin: Person;
let voter: Person;
beforeAll(async () => {
  parts = await startPolicyApi();
});
afterAll(() => parts?.close());
beforeEach(async () => {
  orgId = await parts.api.createOrganization();
  admin = await parts.api.createPerson(orgId);
  voter = await parts.api.createPerson(orgId, { name: 'voter' });
});

type Credential = { readonly kind: 'Key' | 'Fido2'; readonly operations: readonly string[] };
const VOTE = 'createApprovalDecision';

/** Stores a charter that contains this credential of the voter, as the worker does. */
async function charterWith(credential: Credential | undefined, more: object = {}, isServiceAccount = false): Promise<void> {
  const members = credential ? [{ userId: voter.userId, isServiceAccount, credentials: [credential] }] : [];
  const text = charterText(orgId, 1, { members, ...more });
  await parts.api.database.db.withOrg(orgId, (tx) => charterStore.see(tx, { sequence: 1, digest: 'ab'.repeat(32), text }));
}

/** Creates a policy that lists only the voter, and returns why this voter cannot vote. */
async function obstacle(activityKind = 'Wallets:Sign'): Promise<string | undefined> {
  const approvalGroups = [{ name: 'Finance', quorum: 1, approvers: { userId: { in: [voter.userId] } } }];
  const body = { ...policyBody({ action: { kind: 'RequestApproval', approvalGroups } }), activityKind };
  const { body: made } = await admin.client.change('POST', '/v2/policies', body);
  const { body: found } = await admin.client.get(`/v2/policies/${(made as { id: string }).id}/reachability`);
  const { groups } = found as { groups: { hindered: { obstacle: string }[] }[] };
  return groups[0]?.hindered[0]?.obstacle;
}

const seen = (origins: readonly string[]) => ({ seen: { operations: [VOTE], origins } });

test('200: without a charter, each listed person can vote; under a charter, a person who is not in the charter cannot', async () => {
  expect(await obstacle()).toBeUndefined();
  await charterWith(undefined);
  expect(await obstacle()).toBe('NotInCharter');
});

test.each<[string, Credential, object, boolean, string | undefined]>([
  ['a key that may vote', { kind: 'Key', operations: [VOTE] }, {}, false, undefined],
  ['a key that may not vote', { kind: 'Key', operations: ['transferAsset'] }, {}, false, 'NotInCharter'],
  ['a passkey', { kind: 'Fido2', operations: [VOTE] }, {}, false, undefined],
  [
    'a passkey where votes must be seen and no page shows them',
    { kind: 'Fido2', operations: [VOTE] },
    seen([]),
    false,
    'NotInCharter',
  ],
  [
    'a passkey where votes must be seen and a page shows them',
    { kind: 'Fido2', operations: [VOTE] },
    seen(['https://check.example.com']),
    false,
    undefined,
  ],
  ['a key where votes must be seen', { kind: 'Key', operations: [VOTE] }, seen([]), false, undefined],
  ['a key that may not vote, where votes must be seen', { kind: 'Key', operations: [] }, seen([]), false, 'NotInCharter'],
  ['a program where votes must be seen', { kind: 'Fido2', operations: [VOTE] }, seen([]), true, undefined],
])('200: a voter with %s', async (_words, credential, more, isServiceAccount, expected) => {
  await charterWith(credential, more, isServiceAccount);
  expect(await obstacle()).toBe(expected);
});

test('200: the charter has no effect on votes about activities that charters do not cover', async () => {
  await charterWith(undefined);
  expect(await obstacle('Permissions:Assign')).toBeUndefined();
});

test('200: the explanation of a held transfer states who may only deny, because the charter does not accept an approval', async () => {
  const approvalId = await parts.hold();
  const { database } = parts.api;
  await insertTransferOf(database.db, parts.orgId, approvalId);
  const text = charterText(parts.orgId, 1, { members: [] });
  await database.db.withOrg(parts.orgId, (tx) => charterStore.see(tx, { sequence: 1, digest: 'ab'.repeat(32), text }));
  const { body } = await parts.approver.client.get(`/v2/policy-approvals/${approvalId}/explain`);
  const denies = { userId: parts.approver.userId, standing: 'MayOnlyDeny', obstacle: 'NotInCharter' };
  expect(body).toMatchObject({
    approval: { isReachable: false, groups: [{ most: 0, people: expect.arrayContaining([expect.objectContaining(denies)]) }] },
  });
});
