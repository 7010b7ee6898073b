import { type Decision, decideApproval, getApproval } from '../../../application/approvals/approvals';
import { expireApproval, readApprovalOutcome } from '../../../application/approvals/ends';
import type { Authority } from '../../../application/user-actions/act';
import { approvalStore } from '../../../entities/approvals/approval.store';
import { EventEntity } from '../../../entities/events/event.entity';
import type { Dispatch } from '../../../entities/outbox/outbox.store';
import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { UserActionEntity } from '../../../entities/user-actions/user-action.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { holdTransfer, insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor } from '../../support/policies';
import { asSuperuser } from '../../support/roles';

let database: TestDatabase;
let orgId: string;
let initiator: Actor;
let people: Actor[];
let walletId: string;
let activityId: string;
const woken: Dispatch[] = [];

beforeAll(async () => {
  database = await createTestDatabase(16);
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  people = await Promise.all([1, 2, 3, 4].map(() => createActor(database.db, orgId)));
  initiator = await createActor(database.db, orgId);
  walletId = await insertWallet(database.db, orgId);
  activityId = newId('transfer');
  woken.length = 0;
});

const reader = () => database.db.read(orgId);
const idOf = (actor: Actor) => actor.caller.userId;
const person = (index: number) => people[index] as Actor;

/** Holds an activity for a quorum of the first three people. */
async function held(quorum = 2): Promise<string> {
  const finance = { name: 'Finance', quorum, approvers: { userId: { in: people.slice(0, 3).map(idOf) } } };
  await insertPolicy(database.db, orgId, { action: askFor([finance]) });
  const hold = { activityId, walletId, initiatorId: idOf(initiator) };
  return (await holdTransfer(database.db, orgId, hold)).approvalId;
}

async function heldForAnyone(): Promise<string> {
  await insertPolicy(database.db, orgId, { action: askFor([{ quorum: 1, approvers: {} }]) });
  return (await holdTransfer(database.db, orgId, { activityId, walletId, initiatorId: idOf(initiator) })).approvalId;
}

/** Returns the authority of a user action that signs the current digest of the approval, or the given digest. */
async function signedOver(actor: Actor, approvalId: string, digest?: string): Promise<Authority> {
  const authority = await actor.authority();
  const approvalDigest = digest ?? (await approvalStore.find(database.db.read(actor.caller.orgId), approvalId))?.digest ?? null;
  await database.db.withOrg(actor.caller.orgId, (tx) =>
    tx.update(UserActionEntity, { id: authority.action?.id ?? '' }, { approvalDigest }),
  );
  return authority;
}

const services = () => ({
  db: database.db,
  dispatcher: {
    carryOut: () => Promise.resolve(),
    execute: () => Promise.reject(new Error('no workflow is executed here')),
    tryNow: (_orgId: string, row: Dispatch) => Promise.resolve(void woken.push(row)),
  },
});
const decide = async (actor: Actor, approvalId: string, value: Decision['value'], reason?: string) =>
  decideApproval(services(), await signedOver(actor, approvalId), approvalId, { value, reason });
const resolved = (approvalId: string) =>
  reader().rows(EventEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'policy.approval.resolved'`, [approvalId]);
const signals = () => reader().rows(OutboxRowEntity, `WHERE t.kind = 'signal' ORDER BY t.id`);

describe('a vote', () => {
  test('returns the approval and wakes the workflow through the outbox', async () => {
    const approvalId = await held();
    const view = await decide(person(0), approvalId, 'Approved', 'fine with me');
    expect(view).toMatchObject({
      status: 'Pending',
      decisions: [{ userId: idOf(person(0)), value: 'Approved', reason: 'fine with me' }],
    });
    expect(view).not.toHaveProperty('dateResolved');
    expect(view).toEqual(await getApproval(reader(), approvalId));
    const wakeUp = { kind: 'signal', aggregateId: activityId, dedupeKey: `approvalChanged:${approvalId}:2` };
    expect(await signals()).toMatchObject([{ ...wakeUp, routing: { signal: 'approvalChanged' } }]);
    expect(woken).toMatchObject([wakeUp]);
    expect(await resolved(approvalId)).toEqual([]);
  });

  test('that completes every quorum approves, once, with an event that carries the version', async () => {
    const approvalId = await held();
    await decide(person(0), approvalId, 'Approved');
    const view = await decide(person(1), approvalId, 'Approved');
    expect(view).toMatchObject({ status: 'Approved', dateResolved: expect.stringMatching(/Z$/) });
    expect(await resolved(approvalId)).toMatchObject([{ aggregateVersion: 3, data: { approval: view } }]);
  });

  test('that denies ends the approval, even when the initiator denies their own activity', async () => {
    expect((await decide(person(2), await held(), 'Denied', 'no')).status).toBe('Denied');
    activityId = newId('transfer');
    expect((await decide(initiator, await heldForAnyone(), 'Denied')).status).toBe('Denied');
  });

  test('after the end is refused and changes nothing', async () => {
    const approvalId = await held();
    const denied = await decide(person(0), approvalId, 'Denied');
    await expect(decide(person(1), approvalId, 'Approved')).rejects.toMatchObject({ code: 'ApprovalClosed', status: 409 });
    expect(await getApproval(reader(), approvalId)).toEqual(denied);
    expect(await signals()).toHaveLength(1);
  });

  test.each([
    [0, 'ApprovalClosed'],
    [60, undefined],
  ])(
    'cast %i seconds before the expiry is refused if no time is left, even if the timer fires late, and is otherwise accepted',
    async (seconds, code) => {
      const approvalId = await held();
      const expiry = `UPDATE approvals SET date_expires = clock_timestamp() + $2 * interval '1 second' WHERE id = $1`;
      await asSuperuser((client) => client.query(expiry, [approvalId, seconds]), database.name);
      const vote = decide(person(0), approvalId, 'Approved');
      if (code === undefined) await expect(vote).resolves.toMatchObject({ decisions: [{ userId: idOf(person(0)) }] });
      else await expect(vote).rejects.toMatchObject({ code, details: { approvalId, status: 'Expired' } });
      expect(await approvalStore.votes(reader(), [approvalId])).toHaveLength(code === undefined ? 1 : 0);
    },
  );

  test('is refused the second time, and the user action of the refused vote stays unused', async () => {
    const approvalId = await held();
    await decide(person(0), approvalId, 'Approved');
    const again = await signedOver(person(0), approvalId);
    const second = decideApproval(services(), again, approvalId, { value: 'Denied' });
    await expect(second).rejects.toMatchObject({ code: 'AlreadyVoted', status: 409 });
    const action = await reader().row(UserActionEntity, 'WHERE t.id = $1', [again.action?.id ?? '']);
    expect(action?.dateConsumed).toBeNull();
  });

  test('of the initiator does not approve', async () => {
    const approvalId = await heldForAnyone();
    const approval = decide(initiator, approvalId, 'Approved');
    await expect(approval).rejects.toMatchObject({ code: 'Forbidden', message: expect.stringContaining('initiator') });
  });

  test('of a user who is not listed is refused', async () => {
    const approvalId = await held();
    await expect(decide(person(3), approvalId, 'Denied')).rejects.toMatchObject({ code: 'Forbidden', status: 403 });
  });

  test('of a user who came after the request is refused', async () => {
    const approvalId = await heldForAnyone();
    const late = await createActor(database.db, orgId);
    await expect(decide(late, approvalId, 'Approved')).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(decide(late, approvalId, 'Denied')).rejects.toMatchObject({ code: 'Forbidden' });
  });

  test('signed over anything but the current approval is refused', async () => {
    const approvalId = await held();
    const other = await signedOver(person(0), approvalId, 'f'.repeat(64));
    const vote = decideApproval(services(), other, approvalId, { value: 'Approved' });
    await expect(vote).rejects.toMatchObject({ code: 'UserActionInvalid', status: 403 });
    const bare = decideApproval(services(), await person(0).authority(), approvalId, { value: 'Approved' });
    await expect(bare).rejects.toMatchObject({ code: 'UserActionInvalid' });
  });

  test('on an approval whose digest was altered after the signature is refused', async () => {
    const approvalId = await held();
    const authority = await signedOver(person(0), approvalId);
    await database.db.withOrg(orgId, (tx) => tx.query(`UPDATE approvals SET digest = 'forged' WHERE id = $1`, [approvalId]));
    const vote = decideApproval(services(), authority, approvalId, { value: 'Approved' });
    await expect(vote).rejects.toMatchObject({ code: 'UserActionInvalid' });
  });

  test('on an unknown approval, an approval of another organisation or a malformed id is refused as NotFound', async () => {
    const approvalId = await held();
    const stranger = await createActor(database.db, await database.createOrganization());
    const notFound = { code: 'NotFound', status: 404 };
    await expect(decide(stranger, approvalId, 'Denied')).rejects.toMatchObject(notFound);
    await expect(decide(person(0), newId('approval'), 'Denied')).rejects.toMatchObject(notFound);
    await expect(decide(person(0), `ap'--`, 'Denied')).rejects.toMatchObject(notFound);
  });
});

describe('votes at the same time', () => {
  test('of two voters who could each complete the approval resolve it once, and the later vote is refused as closed', async () => {
    for (let round = 0; round < 10; round += 1) {
      activityId = newId('transfer');
      const approvalId = await heldForAnyone();
      const results = await Promise.allSettled([
        decide(person(0), approvalId, 'Approved'),
        decide(person(1), approvalId, 'Approved'),
      ]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'ApprovalClosed' } });
      expect(await resolved(approvalId)).toHaveLength(1);
    }
  });

  test('that together reach the quorum are both accepted', async () => {
    const approvalId = await held();
    const views = await Promise.all([0, 1].map((index) => decide(person(index), approvalId, 'Approved')));
    expect(views.map(({ status }) => status).sort()).toEqual(['Approved', 'Pending']);
    expect(await resolved(approvalId)).toHaveLength(1);
    expect(await signals()).toHaveLength(2);
  });

  test('by the same voter, twenty in number, are accepted only once', async () => {
    const approvalId = await held();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => decide(person(0), approvalId, 'Approved')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await getApproval(reader(), approvalId)).decisions).toHaveLength(1);
  });

  test('as the time-out leave exactly one outcome, which the vote and the time-out both report', async () => {
    for (let round = 0; round < 10; round += 1) {
      activityId = newId('transfer');
      const approvalId = await heldForAnyone();
      const [vote, expiry] = await Promise.allSettled([
        decide(person(0), approvalId, 'Approved'),
        database.db.withOrg(orgId, (tx) => expireApproval(tx, approvalId)),
      ]);
      const { status } = await getApproval(reader(), approvalId);
      expect(expiry).toMatchObject({ status: 'fulfilled', value: { status } });
      expect(vote.status).toBe(status === 'Approved' ? 'fulfilled' : 'rejected');
      expect(await resolved(approvalId)).toHaveLength(1);
    }
  });
});

describe('the time-out', () => {
  const expire = (approvalId: string) => database.db.withOrg(orgId, (tx) => expireApproval(tx, approvalId));

  test('ends a pending approval with one event, however often it runs', async () => {
    const approvalId = await held();
    await decide(person(0), approvalId, 'Approved');
    expect(await expire(approvalId)).toMatchObject({ status: 'Expired', groups: [{ name: 'Finance', quorum: 2, have: 1 }] });
    expect((await expire(approvalId)).status).toBe('Expired');
    expect(await resolved(approvalId)).toMatchObject([{ aggregateVersion: 3, data: { approval: { status: 'Expired' } } }]);
  });

  test('returns the status that an earlier vote has set', async () => {
    const approvalId = await heldForAnyone();
    await decide(person(0), approvalId, 'Approved');
    expect((await expire(approvalId)).status).toBe('Approved');
    expect((await readApprovalOutcome(reader(), approvalId)).status).toBe('Approved');
  });
});

describe('the database itself', () => {
  const forge = async (actor: Actor, approvalId: string, value: 'Approved' | 'Denied') => {
    const { action } = await actor.authority();
    const vote = { approvalId, userId: idOf(actor), value, reason: null, userActionId: action?.id ?? '' };
    return database.db.withOrg(orgId, (tx) => approvalStore.vote(tx, vote));
  };

  test('refuses the vote of a user who is not listed and the approval of the initiator', async () => {
    const approvalId = await heldForAnyone();
    const late = await createActor(database.db, orgId);
    await expect(forge(late, approvalId, 'Denied')).rejects.toThrow('may not vote');
    await expect(forge(initiator, approvalId, 'Approved')).rejects.toThrow('may not vote');
    expect(await forge(initiator, approvalId, 'Denied')).toBe(true);
  });

  test('refuses to change or remove a vote', async () => {
    const approvalId = await held();
    await decide(person(0), approvalId, 'Approved');
    const change = database.db.withOrg(orgId, (tx) => tx.query(`UPDATE approval_votes SET value = 'Denied'`));
    await expect(change).rejects.toThrow('permission denied');
    const removal = database.db.withOrg(orgId, (tx) => tx.query('DELETE FROM approval_votes'));
    await expect(removal).rejects.toThrow('permission denied');
  });
});
