import type { AmendmentKind } from '../../../../domain/amendments';
import type { Amendment } from '../../../../signer/charters/amend-charter-order';
import type { Evidence } from '../../../../signer/record/evidence';
import { type Chartered, GROUP_ID, openChartered, POLICY_ID } from '../../charters/chartered';
import { refusedAs } from '../../fixtures';
import { amendmentBy, approvalOf, charterNow, GUARD_ID, guardOf } from './amending';

const NEW_ID = 'plc-00000-00000-0000000000000002';
const CHANGE_ID = 'cr-1';
const BLOCKING = {
  name: 'Stop',
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'Block' },
};
let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const adoptGuard = (changes: Parameters<typeof guardOf>[1] = {}) => {
  const { ben, cyd } = office.people;
  return office.signer.charters.adopt(office.signedBy({ ...office.charter, changePolicies: [guardOf([ben, cyd], changes)] }));
};
const update = (given: Partial<Amendment<'updatePolicy'>> = {}, body: object = BLOCKING) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'updatePolicy', version: 2, groupIds: [], ...given },
    params: { policyId: POLICY_ID },
    body,
  });
const archive = (given: Partial<Amendment<'archivePolicy'>> = {}, policyId = POLICY_ID) =>
  amendmentBy({ by: office.people.ada, amendment: { kind: 'archivePolicy', ...given }, params: { policyId } });
const creation = (body: object, groupIds: string[] = []) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'createPolicy', policyId: NEW_ID, version: 1, groupIds },
    body,
  });
const withEvidence = <O extends { readonly evidence: Evidence[] }>(order: O, more: readonly Evidence[]): O => ({
  ...order,
  evidence: [...order.evidence, ...more],
});
const CONTENT = { ...BLOCKING, mode: 'Enforce', filters: null };
const seenBy = (change: object, changeRequestId = CHANGE_ID) => ({
  ...{ changeRequestId, entityId: POLICY_ID, requester: office.people.ada },
  change,
});

test('a policy that a member creates, changes and archives judges the next order', async () => {
  const { ada } = office.people;
  await office.adopt();
  await office.signer.amendCharter(creation(BLOCKING));
  await expect(office.signer.signTransfer(office.transfer(ada))).rejects.toEqual(refusedAs('PolicyBlocked'));
  await office.signer.amendCharter(archive({}, NEW_ID));
  await expect(office.signer.signTransfer(office.transfer(ada))).resolves.toBeDefined();
  await office.signer.amendCharter(update());
  await expect(office.signer.signTransfer(office.transfer(ada))).rejects.toEqual(refusedAs('PolicyBlocked'));
  const { policies } = charterNow(office);
  expect(policies).toEqual([{ ...CONTENT, id: POLICY_ID, version: 2 }]);
});

test('the groups of a changed policy have the ids that the service gave, and their votes are accepted', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt();
  const { action, filters } = office.charter.policies[0] ?? {};
  const [group] = action?.kind === 'RequestApproval' ? action.approvalGroups : [];
  const { id: _id, ...asked } = group ?? {};
  const body = { ...BLOCKING, name: 'Renamed', action: { kind: 'RequestApproval', approvalGroups: [asked] }, filters };
  await office.signer.amendCharter(update({ version: 1, groupIds: [GROUP_ID] }, body));
  await expect(office.signer.signTransfer(office.held(ada, [ben, cyd]))).resolves.toBeDefined();
  await expect(office.signer.signTransfer(office.held(ada, [ben]))).rejects.toEqual(refusedAs('VotesMissing'));
  for (const groupIds of [[], [GROUP_ID, 'grp-2']])
    await expect(office.signer.amendCharter(update({ version: 2, groupIds }, body))).rejects.toEqual(
      refusedAs('RequestMismatch'),
    );
});

test('a version that does not rise when the content changes, or rises when only the name changes, is refused', async () => {
  await office.adopt();
  await expect(office.signer.amendCharter(update({ version: 1 }))).rejects.toEqual(refusedAs('RequestMismatch'));
  await office.signer.amendCharter(update({ version: 3 }));
  const renamed = { ...BLOCKING, name: 'Other' };
  await expect(office.signer.amendCharter(update({ version: 4 }, renamed))).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(office.signer.amendCharter(update({ version: 3 }, renamed))).resolves.toBeDefined();
});

test('a policy on changes holds an update until its approvers have signed exactly this change', async () => {
  const { ben, cyd } = office.people;
  await adoptGuard();
  await expect(office.signer.amendCharter(update())).rejects.toEqual(refusedAs('ApprovalMissing'));
  const asked = update({ changeRequestId: CHANGE_ID });
  await expect(office.signer.amendCharter(asked)).rejects.toEqual(refusedAs('ApprovalMissing'));
  const seen = seenBy({ ...CONTENT, status: 'Active' });
  const alone = withEvidence(asked, approvalOf(seen, [ben]));
  await expect(office.signer.amendCharter(alone)).rejects.toEqual(refusedAs('VotesMissing'));
  const approved = withEvidence(asked, approvalOf(seen, [ben, cyd]));
  await expect(office.signer.amendCharter(approved)).resolves.toMatchObject({ sequence: 2 });
});

test.each<[string, object, object, string]>([
  ['different content', {}, { change: { ...CONTENT, action: { kind: 'NoAction' }, status: 'Active' } }, 'ApprovalMismatch'],
  ['an archival', {}, { change: { ...CONTENT, status: 'Archived' } }, 'ApprovalMismatch'],
  ['another policy', {}, { entityId: NEW_ID }, 'ApprovalMismatch'],
  ['an earlier version', {}, { baseVersion: 0 }, 'ApprovalMismatch'],
  ['the request of another person', {}, { requester: 'us-other' }, 'ApprovalMismatch'],
  ['a different kind of change', {}, { kind: 'Permission' }, 'ApprovalMismatch'],
  ['another request', { activityId: 'cr-2' }, {}, 'ApprovalMismatch'],
  ['a signature', { activityKind: 'Wallets:Sign' }, {}, 'ApprovalMismatch'],
  ['another organisation', { org: 'or-other' }, {}, 'ApprovalMismatch'],
])('an approval for %s does not change the policy', async (_name, committed, envelope, reason) => {
  const { ben, cyd } = office.people;
  await adoptGuard();
  const evidence = approvalOf(seenBy({ ...CONTENT, status: 'Active' }), [ben, cyd], { envelope, committed });
  const order = withEvidence(update({ changeRequestId: CHANGE_ID }), evidence);
  await expect(office.signer.amendCharter(order)).rejects.toEqual(refusedAs(reason));
  expect(charterNow(office).sequence).toBe(1);
});

test('an approval to archive archives the policy, and does not approve an update', async () => {
  const { ben, cyd } = office.people;
  await adoptGuard();
  await expect(office.signer.amendCharter(archive())).rejects.toEqual(refusedAs('ApprovalMissing'));
  const evidence = approvalOf(seenBy({ ...CONTENT, status: 'Archived' }), [ben, cyd]);
  const updated = withEvidence(update({ changeRequestId: CHANGE_ID }), evidence);
  await expect(office.signer.amendCharter(updated)).rejects.toEqual(refusedAs('ApprovalMismatch'));
  await office.signer.amendCharter(withEvidence(archive({ changeRequestId: CHANGE_ID }), evidence));
  expect(charterNow(office).policies).toEqual([]);
});

test('a policy on changes holds only changes of the policies that its filter lists, and can block them', async () => {
  await adoptGuard({ filters: { policyId: { in: [NEW_ID] } } });
  await expect(office.signer.amendCharter(update())).resolves.toBeDefined();
  await office.signer.amendCharter(creation({ ...BLOCKING, action: { kind: 'NoAction' } }));
  await expect(office.signer.amendCharter(archive({}, NEW_ID))).rejects.toEqual(refusedAs('ApprovalMissing'));
  await expect(office.signer.amendCharter(archive({}, GUARD_ID))).resolves.toBeDefined();
  await expect(office.signer.amendCharter(archive({}, NEW_ID))).resolves.toBeDefined();
});

test('after a member creates a policy on changes, the policy holds the next change and does not judge signatures', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt();
  const { id: _id, version: _version, filters: _filters, action, ...guard } = guardOf([ben, cyd]);
  const groups = action.kind === 'RequestApproval' ? action.approvalGroups : [];
  const body = { ...guard, action: { ...action, approvalGroups: groups.map(({ id: _group, ...group }) => group) } };
  await office.signer.amendCharter(creation(body, ['grp-9']));
  await expect(office.signer.amendCharter(update())).rejects.toEqual(refusedAs('ApprovalMissing'));
  await expect(office.signer.signTransfer(office.transfer(ada))).resolves.toBeDefined();
});

test('a policy that changes to another activity is removed from the charter, and a new policy on another activity is not added', async () => {
  await office.adopt();
  const registry = { ...BLOCKING, activityKind: 'Registry:Addresses:Modify' };
  const { sequence } = await office.signer.amendCharter(creation(registry));
  expect(sequence).toBe(1);
  await office.signer.amendCharter(update({}, registry));
  expect(charterNow(office).policies).toEqual([]);
});

type Wrong = [name: string, order: () => { amendment: { kind: AmendmentKind }; evidence: Evidence[] }, reason: string];
test.each<Wrong>([
  [
    'under the id of a policy in the charter',
    () => ({ ...creation(BLOCKING), amendment: { ...creation(BLOCKING).amendment, policyId: POLICY_ID } }),
    'RequestMismatch',
  ],
  [
    'with a version above one',
    () => ({ ...creation(BLOCKING), amendment: { ...creation(BLOCKING).amendment, version: 2 } }),
    'RequestMismatch',
  ],
  ['with an unknown member', () => creation({ ...BLOCKING, more: 1 }), 'RequestMismatch'],
  ['with a rule that cannot judge signatures', () => creation({ ...BLOCKING, rule: { kind: 'Nonsense' } }), 'RequestMismatch'],
  ['from an action that archives', () => ({ ...creation(BLOCKING), evidence: archive().evidence }), 'RequestMismatch'],
  ['from an action that updates', () => ({ ...creation(BLOCKING), evidence: update().evidence }), 'RequestMismatch'],
])('a new policy %s is refused', async (_name, order, reason) => {
  await office.adopt();
  await expect(office.signer.amendCharter({ ...creation(BLOCKING), ...(order() as object) })).rejects.toEqual(refusedAs(reason));
});
