import { assertMayVote, eligibleNow, votersNow } from '../../../application/approvals/voters';
import { changeSettings } from '../../../application/organizations/settings';
import type { ApprovalGroup, VoteValue } from '../../../domain/approvals';
import type { GroupDefinition } from '../../../domain/policies';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import type { TestDatabase } from '../../support/database';
import { eachInItsOrganization } from '../../support/own-organization';

let database: TestDatabase;
let orgId: string;
eachInItsOrganization((...own) => {
  [database, orgId] = own;
});

type Set = Partial<UserEntity> & { readonly hoursOld?: number; readonly changedHoursAgo?: number };

const user = async ({ hoursOld = 0, changedHoursAgo, ...set }: Set = {}): Promise<string> => {
  const id = newId('user');
  const row = {
    orgId,
    id,
    username: id,
    name: id,
    kind: 'CustomerEmployee' as const,
    isServiceAccount: false,
    isRegistered: true,
  };
  await database.db.withOrg(orgId, async (tx) => {
    await tx.insert(UserEntity, { ...row, ...set });
    await tx.query(
      `UPDATE users SET date_created = clock_timestamp() - make_interval(mins => $3::int),
         date_credentials_changed = clock_timestamp() - make_interval(mins => $4::int) WHERE org_id = $1 AND id = $2`,
      [orgId, id, Math.round(hoursOld * 60), changedHoursAgo === undefined ? null : Math.round(changedHoursAgo * 60)],
    );
  });
  return id;
};
const program = (createdBy: string, set: Set = {}) => user({ isServiceAccount: true, createdBy, ...set });
const settings = (change: Parameters<typeof changeSettings>[1]) => database.db.withOrg(orgId, (tx) => changeSettings(tx, change));
const fix = (initiatorId: string, definition: GroupDefinition = { quorum: 1, approvers: {} }): Promise<ApprovalGroup> =>
  database.db.withOrg(orgId, async (tx) => {
    const [group] = await votersNow(tx, [{ policyId: 'plc-1', definition }], initiatorId);
    if (!group) throw new Error('the demand has no group');
    return group;
  });
const vote = (group: ApprovalGroup, userId: string, value: VoteValue = 'Approved', initiatorId = '') =>
  database.db.withOrg(orgId, (tx) => assertMayVote(tx, { groups: [group], initiatorId }, userId, value));
const naming = (...ids: readonly string[]): GroupDefinition => ({
  quorum: 1,
  approvers: { userId: { in: ids } },
  serviceAccountsCanApprove: true,
});

test('a group that admits anyone contains every active employee and tenant user, and no deactivated, archived, invited or end user', async () => {
  const initiator = await user();
  const voters = [await user(), await user({ kind: 'TenantUser' })];
  await user({ isActive: false });
  await user({ dateArchived: new Date() });
  await user({ isRegistered: false });
  await user({ kind: 'EndUser' });
  await program(initiator);
  expect(await fix(initiator)).toMatchObject({ voterIds: voters.sort(), denierIds: [initiator] });
});

test('without a setting of the organisation, a new user waits a day before approving', async () => {
  orgId = await database.createOrganization({});
  const admin = await user({ hoursOld: 1000 });
  const [fresh, cool] = [await user({ hoursOld: 23.9 }), await user({ hoursOld: 24.1 })];
  expect(await fix(admin)).toMatchObject({ voterIds: [cool], denierIds: [admin, fresh].sort() });
});

test('an administrator who creates three users cannot approve through them before their waiting time has ended', async () => {
  await settings({ voterCoolingHours: 24 });
  const admin = await user({ hoursOld: 1000 });
  const three = [await user(), await user(), await user({ hoursOld: 23.9 })];
  const group = await fix(admin, { quorum: 2, approvers: {} });
  expect(group).toMatchObject({ voterIds: [], denierIds: [admin, ...three].sort() });
  for (const one of three) {
    await expect(vote(group, one)).rejects.toMatchObject({ code: 'Forbidden', message: expect.stringContaining('too new') });
    await expect(vote(group, one, 'Denied')).resolves.toBeUndefined();
  }
  expect((await fix(admin)).voterIds).toEqual([]);
});

test('shortly before the end of the waiting time a user may only deny, and shortly after it the user may also approve', async () => {
  await settings({ voterCoolingHours: 24 });
  const admin = await user({ hoursOld: 1000 });
  const [old, young] = [await user({ hoursOld: 24.1 }), await user({ hoursOld: 23.9 })];
  const changed = await user({ hoursOld: 1000, changedHoursAgo: 23.9 });
  const settled = await user({ hoursOld: 1000, changedHoursAgo: 24.1 });
  expect(await fix(admin)).toMatchObject({ voterIds: [old, settled].sort(), denierIds: [admin, young, changed].sort() });
});

test('a user whose credentials changed between the request and the vote may only deny', async () => {
  await settings({ voterCoolingHours: 24 });
  const [admin, voter] = [await user({ hoursOld: 1000 }), await user({ hoursOld: 1000 })];
  const group = await fix(admin);
  await expect(vote(group, voter)).resolves.toBeUndefined();
  await database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE users SET date_credentials_changed = clock_timestamp() WHERE org_id = $1 AND id = $2', [orgId, voter]),
  );
  await expect(vote(group, voter)).rejects.toMatchObject({ code: 'Forbidden', message: expect.stringContaining('24 hours') });
  await expect(vote(group, voter, 'Denied')).resolves.toBeUndefined();
});

test('shortening the waiting time does not admit a user who is still waiting', async () => {
  await settings({ voterCoolingHours: 24 });
  const [admin, young] = [await user({ hoursOld: 1000 }), await user()];
  await settings({ voterCoolingHours: 0 });
  expect((await fix(admin)).denierIds).toContain(young);
});

test('programs vote only if the operator allows it and if the group both accepts programs and names them', async () => {
  const [admin, other] = [await user(), await user()];
  const bot = await program(other);
  expect((await fix(admin, naming(bot, other))).voterIds).toEqual([other]);
  expect(await database.db.withOrg(orgId, (tx) => eligibleNow(tx, [bot]))).toEqual([]);
  await settings({ serviceAccountsMayVote: true });
  expect((await fix(admin, naming(bot, other))).voterIds).toEqual([bot, other].sort());
  expect((await fix(admin, { ...naming(), approvers: {} })).voterIds).toEqual([other]);
  expect((await fix(admin)).voterIds).toEqual([other]);
  expect(await database.db.withOrg(orgId, (tx) => eligibleNow(tx, [bot]))).toMatchObject([{ id: bot }]);
});

test('votes of programs are refused after the operator has withdrawn their right to vote', async () => {
  await settings({ serviceAccountsMayVote: true });
  const [admin, other] = [await user(), await user()];
  const bot = await program(other);
  const group = await fix(admin, naming(bot));
  await expect(vote(group, bot)).resolves.toBeUndefined();
  await settings({ serviceAccountsMayVote: false });
  await expect(vote(group, bot)).rejects.toMatchObject({ code: 'Forbidden' });
  await expect(vote(group, bot, 'Denied')).rejects.toMatchObject({ code: 'Forbidden' });
});

test('the creator of a program may not approve its requests, even while programs do not vote', async () => {
  const [creator, other] = [await user(), await user()];
  const bot = await program(creator);
  expect(await fix(bot)).toMatchObject({ voterIds: [other], denierIds: [creator] });
  expect(await fix(bot, { quorum: 1, approvers: {}, initiatorCanApprove: true })).toMatchObject({
    voterIds: [creator, other].sort(),
  });
});

test('a program may not approve requests of its creator or of another program of this creator', async () => {
  await settings({ serviceAccountsMayVote: true });
  const [creator, other] = [await user(), await user()];
  const [bot, twin] = [await program(creator), await program(creator)];
  const named = naming(bot, creator, other, twin);
  const expected = { voterIds: [other], denierIds: [bot, creator, twin].sort() };
  expect(await fix(creator, named)).toMatchObject(expected);
  expect(await fix(bot, named)).toMatchObject(expected);
});

test('a user who was created after approval was requested does not vote', async () => {
  const [admin] = [await user(), await user()];
  const group = await fix(admin);
  const late = await user({ hoursOld: 1000 });
  await expect(vote(group, late, 'Denied')).rejects.toMatchObject({ message: 'user is not an approver of this activity' });
});

test('the refusal of a user who may only deny states the true reason', async () => {
  await settings({ serviceAccountsMayVote: true, voterCoolingHours: 24 });
  const old = { hoursOld: 1000 };
  const [maker, other, late] = [await user(old), await user(old), await user()];
  const [bot, twin] = [await program(maker, old), await program(maker, old)];
  const group = naming(bot, late, maker, other, twin);
  const reason = async (initiatorId: string, userId: string) =>
    vote(await fix(initiatorId, group), userId, 'Approved', initiatorId).catch(({ message }: Error) => message.split(': ')[1]);
  expect(await reason(maker, maker)).toBe('the user is the initiator');
  expect(await reason(maker, bot)).toBe('the initiator created this service account');
  expect(await reason(bot, maker)).toBe('the initiator is a service account that this user created');
  expect(await reason(bot, twin)).toBe('the initiator is a service account that the same person created');
  expect(await reason(bot, bot)).toBe('the user is the initiator');
  expect(await reason(maker, late)).toBe('the user was too new when approval was requested');
  expect(await reason(late, late)).toBe('the user was too new when approval was requested');
  expect(await reason(maker, other)).toBeUndefined();
});
