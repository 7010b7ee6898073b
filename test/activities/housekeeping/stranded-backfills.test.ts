import { startBackfill } from '../../../application/backfills/start-backfill';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { createScannedWallet } from '../../support/scanned-wallets';

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

/** A back-fill with the given age. The relay has carried out the start of its workflow. */
async function begun(age: string, status = 'Running'): Promise<string> {
  const { db } = housekeeping.database;
  const { walletId } = await createScannedWallet(db, orgId, 'EthereumSepolia');
  const range = { fromHeight: '1', fromDate: null, joins: null, requestedBy: null };
  const start = await db.withOrg(orgId, (tx) =>
    startBackfill(tx, { subjectId: walletId, network: 'EthereumSepolia', cause: 'Requested', ...range }),
  );
  const id = start?.aggregateId ?? '';
  await housekeeping.upset('UPDATE outbox SET date_relayed = clock_timestamp() WHERE aggregate_id = $1', [id]);
  await housekeeping.upset(
    `UPDATE backfills SET date_created = clock_timestamp() - $2::interval, status = $3,
       date_done = CASE WHEN $3 <> 'Running' THEN clock_timestamp() END WHERE id = $1`,
    [id, age, status],
  );
  return id;
}

test('the workflow of a running back-fill is started again when it is missing', async () => {
  const lost = await begun('11 minutes');
  await begun('9 minutes');
  for (const status of ['Done', 'Gap', 'Stopped']) await begun('1 day', status);
  expect(await housekeeping.keep('reconcile-backfills')).toEqual({ looked: 1, done: 1 });
  const start = expect.objectContaining({ workflow: 'scanAddress', network: 'EthereumSepolia', again: 'true' });
  expect(await housekeeping.starts(orgId)).toEqual({ [lost]: start });
  expect(await housekeeping.keep('reconcile-backfills')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(['warn: a back-fill had no workflow: started again']);
});

test('a back-fill with a running workflow is left alone', async () => {
  await housekeeping.upset('DELETE FROM backfills');
  housekeeping.standing.set(await begun('30 days'), { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-backfills')).toEqual({ looked: 1, done: 0 });
  expect(await housekeeping.starts(orgId)).toEqual({});
});
