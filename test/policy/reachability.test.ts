import type { ApprovalGroup } from '../../domain/approvals';
import type { GroupDefinition } from '../../domain/policies';
import { lostGroups, newlyUnreachable, type People, type Person, unreachableGroups } from '../../policy/reachability';
import { askFor, BLOCK } from '../support/policies';

const person = (id: string, set: Partial<Person> = {}): Person => ({
  id,
  isRegistered: true,
  isServiceAccount: false,
  createdBy: null,
  isCooling: false,
  isEndUser: false,
  isActive: true,
  isArchived: false,
  mayVote: true,
  isOutsideCharter: false,
  initiates: ['Wallets:Sign'],
  ...set,
});
const people = (...all: readonly Person[]): People => ({ all: new Map(all.map((one) => [one.id, one])), programsMayVote: true });
const named = (quorum: number, ...ids: readonly string[]): GroupDefinition => ({ quorum, approvers: { userId: { in: ids } } });
const anyone = (quorum: number): GroupDefinition => ({ quorum, approvers: {} });
const found = (everybody: People, ...groups: readonly GroupDefinition[]) =>
  unreachableGroups({ activityKind: 'Wallets:Sign', action: askFor(groups), mode: 'Enforce' }, everybody);
/** The initiators for whom the group is unreachable, and the named voters who are not accepted. */
const stuck = (everybody: People, group: GroupDefinition) => {
  const [one] = found(everybody, group);
  return (
    one && {
      by: one.initiators.map(({ userId }) => userId),
      everyone: one.isForEveryone,
      missing: Object.fromEntries(one.hindered.map(({ userId, obstacle }) => [userId, obstacle])),
    }
  );
};

const [ana, ben, cleo] = [person('us-ana'), person('us-ben'), person('us-cleo')];

test('a group is unreachable for its only named approver: the specification’s first example', () => {
  expect(stuck(people(ana, ben), named(1, 'us-ana'))).toEqual({ by: ['us-ana'], everyone: false, missing: {} });
});

test('a quorum of all users is unreachable for every initiator: the specification’s second example', () => {
  expect(stuck(people(ana, ben, cleo), anyone(3))).toEqual({
    by: ['us-ana', 'us-ben', 'us-cleo'],
    everyone: false,
    missing: {},
  });
  expect(found(people(ana, ben, cleo), anyone(2))).toEqual([]);
});

test('a quorum of all users is reachable if the initiator may approve', () => {
  expect(found(people(ana, ben), { ...anyone(2), initiatorCanApprove: true })).toEqual([]);
});

test.each<[string, Partial<Person>, string]>([
  ['a deactivated user', { isActive: false }, 'Deactivated'],
  ['an archived user', { isActive: false, isArchived: true }, 'Archived'],
  ['a user without a credential', { isRegistered: false }, 'NoCredential'],
  ['a user without the permission to decide', { mayVote: false }, 'MayNotVote'],
  ['a user who is too new', { isCooling: true }, 'Cooling'],
  ['a user whose votes the charter does not accept', { isOutsideCharter: true }, 'NotInCharter'],
  ['a service account that the group does not let approve', { isServiceAccount: true }, 'ServiceAccountNotTaken'],
  ['an end user', { isEndUser: true, initiates: [] }, 'EndUser'],
])('%s is not accepted as a voter of a group that names this user', (_title, set, obstacle) => {
  const answer = stuck(people(ana, person('us-ben', set)), named(1, 'us-ben'));
  expect(answer).toMatchObject({ everyone: true, missing: { 'us-ben': obstacle } });
});

test('a user who no longer exists is not accepted as a voter', () => {
  expect(stuck(people(ana), named(1, 'us-gone'))).toMatchObject({ everyone: true, missing: { 'us-gone': 'NotThere' } });
});

test('service accounts are accepted as voters only if the organisation lets them vote', () => {
  const robot = person('us-robot', { isServiceAccount: true, createdBy: 'us-ben', initiates: [] });
  const group = { ...named(1, 'us-robot'), serviceAccountsCanApprove: true };
  expect(found(people(ana, robot), group)).toEqual([]);
  expect(stuck({ ...people(ana, robot), programsMayVote: false }, group)).toMatchObject({
    everyone: true,
    missing: { 'us-robot': 'ServiceAccountsMayNotVote' },
  });
});

test('a program and its creator are one voter: the program adds no second vote, and cannot approve if its creator is the initiator', () => {
  const robot = person('us-robot', { isServiceAccount: true, createdBy: 'us-ben', initiates: [] });
  const group = (quorum: number) => ({ ...named(quorum, 'us-ben', 'us-robot'), serviceAccountsCanApprove: true });
  expect(stuck(people(ana, ben, robot), group(2))).toMatchObject({ everyone: true });
  expect(stuck(people(ana, ben, robot), group(1))).toEqual({ by: ['us-ben'], everyone: false, missing: {} });
});

test('the creator of a program cannot approve a request of the program', () => {
  const robot = person('us-robot', { isServiceAccount: true, createdBy: 'us-ben' });
  const maker = person('us-ben', { initiates: [] });
  expect(stuck(people(maker, robot), named(1, 'us-ben'))).toEqual({ by: ['us-robot'], everyone: false, missing: {} });
});

test('two groups are reachable through the same person', () => {
  expect(found(people(ana, ben), named(1, 'us-ana', 'us-ben'), named(1, 'us-ana', 'us-ben'))).toEqual([]);
});

test('a group is unreachable only for people who may initiate the activity', () => {
  const voter = person('us-ana', { initiates: ['Policies:Modify'] });
  expect(found(people(voter, ben), named(1, 'us-ana'))).toEqual([]);
});

test('the approvers of an escalation are included in the group', () => {
  const escalation = { afterMinutes: 5, approvers: { userId: { in: ['us-ben'] } } };
  expect(found(people(ana, ben), { ...named(1, 'us-ana'), escalation })).toEqual([]);
});

test('a policy that blocks does not ask a person', () => {
  expect(unreachableGroups({ activityKind: 'Wallets:Sign', action: BLOCK, mode: 'Enforce' }, people(ana))).toEqual([]);
});

test('a change lists only the initiators who can no longer get an approval because of the change', () => {
  const before = found(people(ana, ben), named(1, 'us-ana'));
  const after = found(people(ana, { ...ben, isActive: false }), named(1, 'us-ana'));
  expect(newlyUnreachable(before, before)).toEqual([]);
  expect(newlyUnreachable(before, after)).toEqual([]);
  expect(newlyUnreachable([], after)).toEqual(after);
  const nobody = found(people({ ...ana, isActive: false }, ben), named(1, 'us-ana'));
  expect(newlyUnreachable(before, nobody)).toMatchObject([{ isForEveryone: true, initiators: [{ userId: 'us-ben' }] }]);
  expect(newlyUnreachable(nobody, nobody)).toEqual([]);
});

const group = (quorum: number, ...voterIds: readonly string[]): ApprovalGroup => ({
  name: null,
  quorum,
  voterIds,
  denierIds: [],
  policyId: 'plc-1',
});

test('an approval is lost if its votes and its remaining voters together are fewer than the quorum', () => {
  const gone = people(ana, { ...ben, isActive: false }, cleo);
  expect(lostGroups([group(2, 'us-ana', 'us-ben', 'us-cleo')], [], gone, 'Wallets:Sign')).toEqual([]);
  expect(lostGroups([group(2, 'us-ana', 'us-ben')], [], gone, 'Wallets:Sign')).toEqual([
    { group: 0, name: null, quorum: 2, most: 1 },
  ]);
});

test('the vote of a deactivated person is still included, and a new voter may vote later', () => {
  const gone = people({ ...ana, isCooling: true }, { ...ben, isActive: false });
  expect(lostGroups([group(2, 'us-ana', 'us-ben')], [{ userId: 'us-ben', value: 'Approved' }], gone, 'Wallets:Sign')).toEqual([]);
});

test('the charter limits the voters only for activities that the charter judges', () => {
  const outside = people(ana, { ...ben, isOutsideCharter: true });
  const groups = [named(1, 'us-ben')];
  const judged = (activityKind: 'Policies:Modify' | 'Permissions:Assign') =>
    unreachableGroups({ activityKind, action: askFor(groups), mode: 'Enforce' }, outside).length;
  expect([judged('Policies:Modify'), judged('Permissions:Assign')]).toEqual([1, 0]);
});

test('an approval of a payment is lost if the charter does not accept its votes, including votes that were already cast', () => {
  const outside = people(ana, { ...ben, isOutsideCharter: true });
  const lost = (activityKind: string, votes: { userId: string; value: 'Approved' }[] = []) =>
    lostGroups([group(1, 'us-ben')], votes, outside, activityKind).length;
  expect([lost('Wallets:Sign'), lost('Wallets:Sign', [{ userId: 'us-ben', value: 'Approved' }])]).toEqual([1, 1]);
  expect(lost('Permissions:Assign')).toBe(0);
});
