import { amendmentsOf } from '../../../workflows/amendments.messages';
import { createActor } from '../../support/actor';
import { addAmendment } from '../../support/charter-rows';
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

/** Adds two waiting amendments of the given age, whose workflow the relay has already started. Returns the workflow's id. */
async function waiting(age: string): Promise<string> {
  const { db } = housekeeping.database;
  const { action } = await (await createActor(db, orgId)).authority();
  for (const kind of ['createPolicy', 'archivePolicy'] as const) await addAmendment(db, orgId, action?.id ?? '', kind);
  await housekeeping.upset(`UPDATE amendments SET date_created = clock_timestamp() - $2::interval WHERE org_id = $1`, [
    orgId,
    age,
  ]);
  return amendmentsOf(orgId);
}

test('the workflow of amendments that wait for ten minutes is started again, once for the organisation', async () => {
  const stranded = await waiting('11 minutes');
  expect(await housekeeping.keep('reconcile-amendments')).toEqual({ looked: 1, done: 1 });
  const start = expect.objectContaining({ workflow: 'amendments', signal: 'amendmentRecorded', again: 'true' });
  expect(await housekeeping.starts(orgId)).toEqual({ [stranded]: start });
  expect(await housekeeping.keep('reconcile-amendments')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(['warn: the waiting amendments of a charter had no workflow: started again']);
});

test('younger amendments, ended ones and those with a running workflow are left alone', async () => {
  await housekeeping.upset('DELETE FROM amendments');
  await waiting('9 minutes');
  expect(await housekeeping.keep('reconcile-amendments')).toEqual({ looked: 0, done: 0 });
  await housekeeping.upset(`UPDATE amendments SET date_created = clock_timestamp() - interval '1 day'`);
  housekeeping.standing.set(amendmentsOf(orgId), { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-amendments')).toEqual({ looked: 1, done: 0 });
  await housekeeping.upset(`UPDATE amendments SET status = 'Refused', reason = 'NotPermitted', date_ended = clock_timestamp()`);
  expect(await housekeeping.keep('reconcile-amendments')).toEqual({ looked: 0, done: 0 });
  expect(await housekeeping.starts(orgId)).toEqual({});
});
