import { changeRequestStore } from '../../../entities/change-requests/change-request.store';
import { newId } from '../../../platform/ids';
import { createActor } from '../../support/actor';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';

let housekeeping: Housekeeping;
let orgId: string;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  housekeeping.lines();
  orgId = await housekeeping.database.createOrganization();
});

async function waiting(age: string, status: 'Pending' | 'Applied' = 'Pending'): Promise<string> {
  const id = newId('changeRequest');
  const { caller } = await createActor(housekeeping.database.db, orgId);
  await housekeeping.database.db.withOrg(orgId, async (tx) =>
    changeRequestStore.add(tx, {
      id,
      kind: 'Permission',
      operationKind: 'Update',
      entityId: newId('permission'),
      subject: id,
      baseVersion: 1,
      before: null,
      change: {},
      body: {},
      status,
      reason: null,
      requesterUserId: caller.userId,
      requesterTokenId: null,
      userActionId: null,
      approvalId: newId('approval'),
      dateCreated: await tx.clock(),
      dateResolved: null,
    }),
  );
  const older = `UPDATE change_requests SET date_created = clock_timestamp() - $2::interval WHERE id = $1`;
  await housekeeping.upset(older, [id, age]);
  return id;
}

test('a waiting change without a workflow is started again, once; a younger change and an ended change are not', async () => {
  const id = await waiting('11 minutes');
  await waiting('9 minutes');
  await waiting('1 day', 'Applied');
  expect(await housekeeping.keep('reconcile-changes')).toEqual({ looked: 1, done: 1 });
  expect(await housekeeping.starts(orgId)).toEqual({
    [id]: expect.objectContaining({ workflow: 'changeRequest', again: 'true' }),
  });
  expect(await housekeeping.keep('reconcile-changes')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(['warn: a pending change request had no workflow: started again']);
});

test('a change with a workflow that waits for people is left alone', async () => {
  housekeeping.standing.set(await waiting('30 days'), { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-changes')).toMatchObject({ done: 0 });
  expect(await housekeeping.starts(orgId)).toEqual({});
});
