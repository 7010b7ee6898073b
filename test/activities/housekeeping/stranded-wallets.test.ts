import { newId } from '../../../platform/ids';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';

let housekeeping: Housekeeping;
let orgId: string;
beforeAll(async () => {
  housekeeping = await openHousekeeping();
});
afterAll(() => housekeeping?.close());
beforeEach(async () => {
  await housekeeping.upset('DELETE FROM wallets');
  housekeeping.lines();
  orgId = await housekeeping.database.createOrganization();
});

/** A wallet with a key that the signer has not made. */
async function unfinished(age: string, status = 'Creating'): Promise<string> {
  const [id, keyId] = [newId('wallet'), newId('key')];
  await housekeeping.upset(
    `INSERT INTO wallets (org_id, id, network, key_id, status, request_digest, created_by, date_created)
     VALUES ($1, $2, 'EthereumSepolia', $3, $4, '', 'us', clock_timestamp() - $5::interval)`,
    [orgId, id, keyId, status, age],
  );
  const key = `INSERT INTO keys (org_id, id, scheme, curve, status) VALUES ($1, $2, 'ECDSA', 'secp256k1', 'Creating')`;
  await housekeeping.upset(key, [orgId, keyId]);
  return id;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('an unfinished wallet without a workflow is started again, once; a younger or finished one is not', async () => {
  const id = await unfinished('11 minutes');
  await unfinished('9 minutes');
  await unfinished('1 day', 'Active');
  expect(await housekeeping.keep('reconcile-wallets')).toEqual({ looked: 1, done: 1 });
  expect(await housekeeping.starts(orgId)).toEqual({
    [id]: expect.objectContaining({ workflow: 'createWallet', again: 'true' }),
  });
  expect(await housekeeping.keep('reconcile-wallets')).toEqual({ looked: 0, done: 0 });
  expect(housekeeping.lines()).toEqual(['warn: an unfinished wallet had no workflow: started again']);
});

test('a wallet with a workflow that waits for the signer is left alone', async () => {
  housekeeping.standing.set(await unfinished('3 days'), { kind: 'Running' });
  expect(await housekeeping.keep('reconcile-wallets')).toEqual({ looked: 1, done: 0 });
});

test('a wallet that the signer refused is requested again after an hour, not earlier, and the log tells an operator what to do', async () => {
  const [late, early] = [await unfinished('1 day'), await unfinished('1 day')];
  housekeeping.standing.set(late, { kind: 'Ended', how: 'FAILED', closeTime: hoursAgo(1.01) });
  housekeeping.standing.set(early, { kind: 'Ended', how: 'FAILED', closeTime: hoursAgo(0.99) });
  expect(await housekeeping.keep('reconcile-wallets')).toEqual({ looked: 2, done: 1 });
  expect(Object.keys(await housekeeping.starts(orgId))).toEqual([late]);
  expect(housekeeping.lines()).toEqual([expect.stringMatching(/^error: the signer refuses .* find the cause/)]);
});
