import { newId } from '../../../platform/ids';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';

const OPEN = ['Requested', 'AwaitingApproval', 'Approved', 'Signing'] as const;

let housekeeping: Housekeeping;
let orgId: string;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  housekeeping.lines();
  await housekeeping.upset('DELETE FROM signatures');
  orgId = await housekeeping.database.createOrganization();
});

async function request(state: string, age = '11 minutes'): Promise<string> {
  const id = newId('signature');
  await housekeeping.upset(
    `INSERT INTO signatures (org_id, id, key_id, kind, requester_user_id, user_action_id, request_body, request_digest, payload, state,
       date_requested)
     VALUES ($1, $2, 'key', 'Hash', 'us', 'ua-' || $2, '{}', '', '{}', $3, clock_timestamp() - $4::interval)`,
    [orgId, id, state, age],
  );
  return id;
}

test.each(OPEN)('a request in %s without a workflow is started again, once, and keeps its state', async (state) => {
  const id = await request(state);
  expect(await housekeeping.keep('reconcile-signatures')).toEqual({ looked: 1, done: 1 });
  expect(await housekeeping.starts(orgId)).toEqual({ [id]: expect.objectContaining({ workflow: 'signature', again: 'true' }) });
  expect(await housekeeping.keep('reconcile-signatures')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(['warn: an open signature request had no workflow: started again']);
});

test('a request with a running workflow, a younger request and an ended request are left alone', async () => {
  housekeeping.standing.set(await request('AwaitingApproval', '30 days'), { kind: 'Running' });
  await request('Approved', '9 minutes');
  for (const state of ['Signed', 'Confirmed', 'Failed', 'Rejected']) await request(state);
  expect(await housekeeping.keep('reconcile-signatures')).toEqual({ looked: 1, done: 0 });
  expect(await housekeeping.starts(orgId)).toEqual({});
  expect(housekeeping.lines()).toEqual([]);
});
