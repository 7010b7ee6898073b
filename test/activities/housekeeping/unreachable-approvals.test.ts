import { EventEntity } from '../../../entities/events/event.entity';
import { newId } from '../../../platform/ids';
import { createActor } from '../../support/actor';
import { holdTransfer, insertPolicy, insertWallet } from '../../support/held-activity';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { askFor } from '../../support/policies';

let housekeeping: Housekeeping;
let orgId: string;
let voterId: string;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());

/** Holds a transfer for one named voter, gives the approval this age, and returns the id of the approval. */
async function held(age: string): Promise<string> {
  const { db } = housekeeping.database;
  orgId = await housekeeping.database.createOrganization();
  voterId = (await createActor(db, orgId)).caller.userId;
  const initiatorId = (await createActor(db, orgId)).caller.userId;
  await insertPolicy(db, orgId, { action: askFor([{ name: 'Finance', quorum: 1, approvers: { userId: { in: [voterId] } } }]) });
  const walletId = await insertWallet(db, orgId);
  await housekeeping.upset(
    `INSERT INTO permissions (org_id, id, name, operations, is_managed, status) VALUES ($1, $2, 'All', '["*"]', false, 'Active')`,
    [orgId, 'pm-all'],
  );
  await housekeeping.upset('INSERT INTO permission_assignments (org_id, id, permission_id, user_id) VALUES ($1, $2, $3, $4)', [
    orgId,
    newId('assignment'),
    'pm-all',
    voterId,
  ]);
  const { approvalId } = await holdTransfer(db, orgId, { activityId: newId('transfer'), walletId, initiatorId });
  await housekeeping.upset('UPDATE approvals SET date_created = clock_timestamp() - $2::interval WHERE id = $1', [
    approvalId,
    age,
  ]);
  housekeeping.lines();
  return approvalId;
}
const stand = (isActive: boolean) =>
  housekeeping.upset('UPDATE users SET is_active = $2, is_registered = true WHERE id = $1', [voterId, isActive]);
const told = async (approvalId: string) =>
  (
    await housekeeping.database.db
      .read(orgId)
      .rows(EventEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'policy.approval.unreachable' ORDER BY t.id`, [approvalId])
  ).map(({ data }) => data);

test('an approval that loses its last voter is reported once, and once more when it loses the last voter again', async () => {
  const approvalId = await held('1 day');
  await stand(true);
  expect(await housekeeping.keep('watch-approvals')).toEqual({ looked: 1, done: 0 });
  await stand(false);
  expect(await housekeeping.keep('watch-approvals')).toEqual({ looked: 1, done: 1 });
  expect(await housekeeping.keep('watch-approvals')).toEqual({ looked: 1, done: 0 });
  expect(await told(approvalId)).toEqual([
    {
      approval: expect.objectContaining({ id: approvalId, status: 'Pending' }),
      unreachableGroups: [{ group: 0, name: 'Finance', quorum: 1, most: 0 }],
    },
  ]);
  expect(housekeeping.lines()).toEqual(['warn: a pending approval can no longer reach its quorum']);
  await stand(true);
  expect(await housekeeping.keep('watch-approvals')).toMatchObject({ done: 0 });
  await stand(false);
  expect(await housekeeping.keep('watch-approvals')).toMatchObject({ done: 1 });
  expect(await told(approvalId)).toHaveLength(2);
  await housekeeping.upset(`UPDATE approvals SET status = 'Denied' WHERE id = $1`, [approvalId]);
  expect(await housekeeping.keep('watch-approvals')).toEqual({ looked: 0, done: 0 });
});

test('an approval that was requested only a moment ago is left alone', async () => {
  const approvalId = await held('1 minute');
  await stand(false);
  await housekeeping.keep('watch-approvals');
  expect(await told(approvalId)).toEqual([]);
});
