import { createHoldActivities } from '../../../activities/outgoing/holds';
import { changeSettings } from '../../../application/organizations/settings';
import type { Action, GroupDefinition } from '../../../domain/policies';
import { approvalStore } from '../../../entities/approvals/approval.store';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { createSecretBox } from '../../../platform/secret-box';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { holdTransfer, insertPolicy, insertWallet } from '../../support/held-activity';
import { mailsFor } from '../../support/mails';
import { letPass } from '../../support/moments';
import { vote } from '../../support/votes';

const DATA_KEY = Buffer.alloc(32, 3);
const MINUTE_MS = 60_000;

let database: TestDatabase;
let orgId: string;
let activityId: string;
let [initiator, first, second, third]: Actor[] = [];
beforeAll(async () => {
  database = await createTestDatabase(8);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  activityId = newId('transfer');
  [initiator, first, second, third] = await Promise.all([1, 2, 3, 4].map(() => createActor(database.db, orgId)));
});

const idOf = (actor: Actor | undefined): string => actor?.caller.userId ?? '';
const named = (...actors: (Actor | undefined)[]) => ({ userId: { in: actors.map(idOf) } });
const ask = (groups: readonly GroupDefinition[], more: Partial<Extract<Action, { kind: 'RequestApproval' }>> = {}): Action => ({
  kind: 'RequestApproval',
  approvalGroups: groups,
  ...more,
});
const hold = async (action: Action) => {
  await insertPolicy(database.db, orgId, { action });
  const walletId = await insertWallet(database.db, orgId);
  return holdTransfer(database.db, orgId, { activityId, walletId, initiatorId: idOf(initiator) });
};
const tell = (approvalId: string) =>
  createHoldActivities({ db: database.db, mailContents: createSecretBox(DATA_KEY, 'mails') }).tellApprovers(
    { orgId },
    approvalId,
  );
const mailed = async (actor: Actor | undefined) =>
  (await mailsFor(database.db, DATA_KEY.toString('hex'), orgId, idOf(actor))).map(({ template }) => template);
const statusOf = async (approvalId: string) => (await approvalStore.find(database.db.read(orgId), approvalId))?.status;
const signals = () =>
  database.db.read(orgId).rows(OutboxRowEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'signal'`, [activityId]);

test('each user who may approve gets one mail, at once and without amounts, and no other user gets one', async () => {
  const { approvalId, nextNoticeInMs } = await hold(ask([{ quorum: 1, approvers: named(first, initiator) }]));
  expect(nextNoticeInMs).toBe(0);
  expect(await tell(approvalId)).toEqual({});
  expect(await tell(approvalId)).toEqual({});
  const [mail, ...others] = await mailsFor(database.db, DATA_KEY.toString('hex'), orgId, idOf(first));
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ template: 'ApprovalRequested', to: first?.username });
  expect(mail?.data).toEqual({ approvalId, what: 'a transfer', initiator: 'Some User', rejectsItselfAt: null });
  for (const actor of [initiator, second]) expect(await mailed(actor)).toEqual([]);
});

test('simultaneous runs of the notices send each approver one mail', async () => {
  const { approvalId } = await hold(ask([{ quorum: 1, approvers: {} }]));
  await Promise.all(Array.from({ length: 8 }, () => tell(approvalId)));
  for (const actor of [first, second, third]) expect(await mailed(actor)).toEqual(['ApprovalRequested']);
});

test('a reminder is sent once, when it is due, to those who have not voted and whose group lacks its quorum', async () => {
  const groups = [
    { quorum: 2, approvers: named(first, second) },
    { quorum: 1, approvers: named(third) },
  ];
  const { approvalId } = await hold(ask(groups, { reminderAfterMinutes: 60 }));
  const { nextNoticeInMs } = await tell(approvalId);
  expect(nextNoticeInMs).toBeGreaterThan(59 * MINUTE_MS);
  expect(nextNoticeInMs).toBeLessThanOrEqual(60 * MINUTE_MS);
  for (const actor of [first, third]) if (actor) await vote(database.db, actor, approvalId, 'Approved');
  expect(await tell(approvalId)).toMatchObject({ nextNoticeInMs: expect.any(Number) });
  expect(await mailed(second)).toEqual(['ApprovalRequested']);
  await letPass(database.name, approvalId, 61);
  for (let i = 0; i < 2; i += 1) expect(await tell(approvalId)).toEqual({});
  expect(await mailed(second)).toEqual(['ApprovalRequested', 'ApprovalReminder']);
  for (const actor of [first, third]) expect(await mailed(actor)).toEqual(['ApprovalRequested']);
});

test('if several triggered policies have reminders, the earliest applies; a policy that did not trigger has no effect', async () => {
  await insertPolicy(database.db, orgId, { action: ask([{ quorum: 1, approvers: {} }], { reminderAfterMinutes: 30 }) });
  const filters = { walletTags: { hasAny: ['cold'] } };
  const action = ask([{ quorum: 1, approvers: {} }], { reminderAfterMinutes: 1 });
  await insertPolicy(database.db, orgId, { action, filters });
  const { approvalId } = await hold(ask([{ quorum: 1, approvers: {} }], { reminderAfterMinutes: 60 }));
  const { nextNoticeInMs = 0 } = await tell(approvalId);
  expect(Math.round(nextNoticeInMs / MINUTE_MS)).toBe(30);
});

describe('escalation', () => {
  const atHand = () =>
    ask([{ quorum: 1, approvers: named(first), escalation: { afterMinutes: 10, approvers: named(first, second) } }]);

  test('admits and notifies its approvers after its time, not before', async () => {
    const { approvalId } = await hold(atHand());
    await tell(approvalId);
    expect(await mailed(second)).toEqual([]);
    for (const value of ['Approved', 'Denied'] as const) {
      const early = vote(database.db, second as Actor, approvalId, value);
      await expect(early).rejects.toMatchObject({ code: 'Forbidden', message: expect.stringContaining('not an approver') });
    }
    await letPass(database.name, approvalId, 10);
    expect(await tell(approvalId)).toEqual({});
    expect(await mailed(second)).toEqual(['ApprovalEscalated']);
    expect(await mailed(first)).toEqual(['ApprovalRequested']);
    await vote(database.db, second as Actor, approvalId, 'Approved');
    expect(await statusOf(approvalId)).toBe('Approved');
  });

  test('has a second guard in the database, which refuses a vote of its approvers before its time', async () => {
    const { approvalId } = await hold(atHand());
    const { action } = await (second as Actor).authority();
    const forged = { approvalId, userId: idOf(second), value: 'Approved', reason: null, userActionId: action?.id ?? '' } as const;
    await expect(database.db.withOrg(orgId, (tx) => approvalStore.vote(tx, forged))).rejects.toThrow('may not vote');
  });

  test('lists an approval for its approvers only after its time', async () => {
    const { approvalId } = await hold(atHand());
    const page = { status: undefined, initiatorId: undefined, approverId: idOf(second), after: undefined, limit: 10 };
    const list = () => approvalStore.page(database.db.read(orgId), page);
    expect(await list()).toEqual([]);
    await letPass(database.name, approvalId, 10);
    expect(await list()).toMatchObject([{ id: approvalId }]);
  });

  test('includes a vote that was cast earlier for a different group, and wakes the activity that this vote releases', async () => {
    const groups = [
      { quorum: 1, approvers: named(first), escalation: { afterMinutes: 10, approvers: named(second) } },
      { quorum: 1, approvers: named(second) },
    ];
    const { approvalId } = await hold(ask(groups));
    await tell(approvalId);
    await vote(database.db, second as Actor, approvalId, 'Approved');
    expect(await statusOf(approvalId)).toBe('Pending');
    expect(await signals()).toHaveLength(1);
    await letPass(database.name, approvalId, 10);
    expect(await tell(approvalId)).toEqual({});
    expect(await statusOf(approvalId)).toBe('Approved');
    expect(await signals()).toHaveLength(2);
  });

  test('does nothing after the approval has ended', async () => {
    const done = await hold(atHand());
    await tell(done.approvalId);
    await vote(database.db, first as Actor, done.approvalId, 'Approved');
    await letPass(database.name, done.approvalId, 10);
    expect(await tell(done.approvalId)).toEqual({});
    expect(await mailed(second)).toEqual([]);
  });
});

test('with mails switched off no approver gets a mail, and an escalation still takes effect', async () => {
  await database.db.withOrg(orgId, (tx) => changeSettings(tx, { approvalMails: false }));
  const group = { quorum: 1, approvers: named(first), escalation: { afterMinutes: 10, approvers: named(second) } };
  const { approvalId, nextNoticeInMs = 0 } = await hold(ask([group], { reminderAfterMinutes: 5 }));
  expect(Math.round(nextNoticeInMs / MINUTE_MS)).toBe(10);
  await letPass(database.name, approvalId, 10);
  expect(await tell(approvalId)).toEqual({});
  for (const actor of [first, second]) expect(await mailed(actor)).toEqual([]);
  await vote(database.db, second as Actor, approvalId, 'Denied');
  expect(await statusOf(approvalId)).toBe('Denied');
});

test('a deactivated user gets no mail, nor does a user whose name is not an address', async () => {
  await database.db.withOrg(orgId, async (tx) => {
    await tx.update(UserEntity, { id: idOf(second) }, { username: 'somebody' });
  });
  const { approvalId } = await hold(ask([{ quorum: 1, approvers: {} }]));
  await database.db.withOrg(orgId, (tx) => tx.update(UserEntity, { id: idOf(first) }, { isActive: false }));
  await tell(approvalId);
  for (const actor of [first, second]) expect(await mailed(actor)).toEqual([]);
  expect(await mailed(third)).toEqual(['ApprovalRequested']);
});
