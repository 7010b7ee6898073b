import { putFreeze } from '../../../application/freezes/put-freeze';
import { newId } from '../../../platform/ids';
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

/** A freeze of a key with the given age. The relay has carried out the start of its workflow. */
async function frozen(age: string, released: 'No' | 'InRows' | 'Everywhere'): Promise<string> {
  const id = newId('freeze');
  const asked = {
    targetKind: 'Key',
    targetId: newId('key'),
    reason: 'It looks wrong',
    createdBy: null,
    userActionId: null,
  } as const;
  await housekeeping.database.db.withOrg(orgId, (tx) => putFreeze(tx, { id, ...asked }));
  await housekeeping.upset('UPDATE outbox SET date_relayed = clock_timestamp() WHERE aggregate_id = $1', [id]);
  await housekeeping.upset(
    `UPDATE freezes SET date_created = clock_timestamp() - $2::interval, date_released = CASE WHEN $3 <> 'No' THEN clock_timestamp() END,
       released_by = CASE WHEN $3 <> 'No' THEN 'cr-1' END, release_action_id = CASE WHEN $3 <> 'No' THEN 'ua-1' END,
       date_signer_released = CASE WHEN $3 = 'Everywhere' THEN clock_timestamp() END WHERE id = $1`,
    [id, age, released],
  );
  return id;
}

test('the workflow of a freeze is started again when it is missing and the signer has not confirmed the release of the freeze', async () => {
  const [standing, released] = [await frozen('11 minutes', 'No'), await frozen('1 day', 'InRows')];
  await frozen('9 minutes', 'No');
  await frozen('1 day', 'Everywhere');
  expect(await housekeeping.keep('reconcile-freezes')).toEqual({ looked: 2, done: 2 });
  const start = expect.objectContaining({ workflow: 'freeze', summary: 'Freeze of a key', again: 'true' });
  expect(await housekeeping.starts(orgId)).toEqual({ [standing]: start, [released]: start });
  expect(await housekeeping.keep('reconcile-freezes')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(Array(2).fill('warn: a freeze had no workflow: started again'));
});

test('a freeze with a running workflow is left alone', async () => {
  await housekeeping.upset('DELETE FROM freezes');
  housekeeping.standing.set(await frozen('30 days', 'No'), { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-freezes')).toEqual({ looked: 1, done: 0 });
  expect(await housekeeping.starts(orgId)).toEqual({});
});
