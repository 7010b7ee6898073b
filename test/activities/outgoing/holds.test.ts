import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { askFor } from '../../support/policies';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { vote } from '../../support/votes';

const MINUTE_MS = 60_000;

let database: TestDatabase;
let steps: TransferSteps;
let approver: Actor;
let id: string;
let approvalId: string;

beforeAll(async () => {
  database = await createTestDatabase(12);
});
afterAll(() => database?.close());
beforeEach(async () => {
  const orgId = await database.createOrganization();
  steps = await createTransferSteps(database.db, orgId);
  approver = await createActor(database.db, orgId);
  await insertPolicy(database.db, orgId, { action: askFor([{ name: 'Finance', quorum: 1, approvers: {} }], 30) });
  id = await steps.transfer({ state: 'Requested', policyEpoch: null });
  approvalId = await held();
});

async function held(): Promise<string> {
  const judged = await steps.evaluate(id);
  if (judged.outcome !== 'Held') throw new Error(`the transfer is ${judged.outcome}`);
  return judged.approvalId;
}
const ref = () => ({ orgId: steps.orgId, transferId: id });
const read = (which = approvalId) => steps.holds.readHold(ref(), which);
const expire = () => steps.holds.expireHold(ref(), approvalId);

test('a pending approval leaves the transfer as it is, and the result shows the votes of each group', async () => {
  const group = { groupId: expect.any(String), name: 'Finance', quorum: 1, have: 0 };
  expect(await read()).toEqual({ status: 'Pending', groups: [group] });
  expect(await steps.row(id)).toMatchObject({ state: 'AwaitingApproval', version: 2, approvalId });
});

test('an approval moves the transfer to Approved and clears its policy epoch, so that the release is judged again', async () => {
  await vote(database.db, approver, approvalId, 'Approved');
  expect(await read()).toMatchObject({ status: 'Approved', groups: [{ have: 1 }] });
  expect(await steps.row(id)).toMatchObject({ state: 'Approved', policyEpoch: null, datePolicyResolved: expect.any(Date) });
  expect(await steps.prepare(id)).toBe('PolicyChanged');
  expect(await steps.evaluate(id)).toEqual({ outcome: 'Cleared' });
  expect(await steps.prepare(id)).toBe('Ready');
});

test.each([
  ['a denial', () => vote(database.db, approver, approvalId, 'Denied'), () => read(), 'Denied by an approver'],
  ['expiry', async () => undefined, () => expire(), 'The approval expired'],
])('%s rejects the transfer with its reason, with one event', async (_what, happen, look, reason) => {
  await happen();
  const answers = [await look(), await look(), await read()];
  expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
  expect(await steps.row(id)).toMatchObject({ state: 'Rejected', version: 3, reason, datePolicyResolved: expect.any(Date) });
  expect((await steps.events(id)).filter((event) => event.startsWith('wallet.'))).toEqual(['wallet.transfer.rejected 3']);
});

test('a vote that was accepted before the expiry prevails', async () => {
  await vote(database.db, approver, approvalId, 'Approved');
  expect(await expire()).toMatchObject({ status: 'Approved' });
  expect(await steps.row(id)).toMatchObject({ state: 'Approved' });
});

test('a vote after the expiry is refused', async () => {
  await expire();
  await expect(vote(database.db, approver, approvalId, 'Approved')).rejects.toMatchObject({ code: 'ApprovalClosed' });
  expect(await read()).toMatchObject({ status: 'Expired' });
});

test('when a vote and the expiry race, the transfer, the approval and the result agree on the winner', async () => {
  for (let round = 0; round < 8; round += 1) {
    id = await steps.transfer({ state: 'Requested', policyEpoch: null });
    approvalId = await held();
    const [voted, standing] = await Promise.allSettled([vote(database.db, approver, approvalId, 'Approved'), expire()]);
    expect(standing.status).toBe('fulfilled');
    const won = voted.status === 'fulfilled' ? 'Approved' : 'Expired';
    expect(await read()).toMatchObject({ status: won });
    expect((await steps.row(id)).state).toBe(won === 'Approved' ? 'Approved' : 'Rejected');
  }
});

test('two reads of the hold and an expiry at the same time move the transfer once', async () => {
  await vote(database.db, approver, approvalId, 'Approved');
  await Promise.all([read(), read(), expire()]);
  expect(await steps.row(id)).toMatchObject({ state: 'Approved', version: 3 });
});

test('a stricter policy at the release requires a new approval, and the first approval then has no effect', async () => {
  await vote(database.db, approver, approvalId, 'Approved');
  await read();
  await insertPolicy(database.db, steps.orgId, { action: askFor([{ name: 'Board', quorum: 1, approvers: {} }]) });
  const second = await held();
  expect(second).not.toBe(approvalId);
  expect(await read(approvalId)).toMatchObject({ status: 'Approved' });
  expect(await steps.row(id)).toMatchObject({ state: 'AwaitingApproval', approvalId: second });
  await vote(database.db, approver, second, 'Denied');
  expect(await read(second)).toMatchObject({ status: 'Denied' });
  expect(await steps.row(id)).toMatchObject({ state: 'Rejected' });
});

test('a transfer that was ended meanwhile stays ended', async () => {
  await vote(database.db, approver, approvalId, 'Approved');
  await database.db.withOrg(steps.orgId, async (tx) => outgoingStore.move(tx, await outgoingStore.lock(tx, id), 'Failed'));
  expect(await read()).toMatchObject({ status: 'Approved' });
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', version: 3 });
});

test('a judgement that runs again returns the same hold with the time that is left', async () => {
  const judged = await steps.evaluate(id);
  expect(judged).toMatchObject({ outcome: 'Held', approvalId, groups: [{ name: 'Finance', quorum: 1, have: 0 }] });
  const left = judged.outcome === 'Held' ? judged.rejectsItselfAfterMs : undefined;
  expect(left).toBeGreaterThan(29 * MINUTE_MS);
  expect(left).toBeLessThanOrEqual(30 * MINUTE_MS);
  expect(await steps.row(id)).toMatchObject({ state: 'AwaitingApproval', version: 2 });
});
