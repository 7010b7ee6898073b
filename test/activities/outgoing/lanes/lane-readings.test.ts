import { createTransferPreparation } from '../../../../activities/outgoing/prepare';
import type { ChainReader } from '../../../../chains/types';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { APPROVING } from '../../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { insertPolicy } from '../../../support/held-activity';
import { BLOCK } from '../../../support/policies';
import { asSuperuser } from '../../../support/roles';
import { createTransferSteps, ETHER, type TransferSteps } from '../../../support/transfer-steps';
import { waitUntil } from '../../../support/wait-until';

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const isSomebodyBlocked = () =>
  asSuperuser(async (client) => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
    return (await client.query(sql, [database.name])).rowCount === 1;
  });

test('a stricter policy that arrives while a transfer waits for the lock of its lane is committed after the claim, and stops the signature', async () => {
  const id = await steps.transfer();
  let [locked, release] = [() => {}, () => {}];
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const busy = database.db.withOrg(steps.orgId, async (tx) => {
    await laneStore.lock(tx, { network: 'EthereumSepolia', address: steps.address });
    locked();
    await released;
  });
  await isLocked;
  const prepared = steps.prepare(id);
  await waitUntil('the preparation to wait for the lane', isSomebodyBlocked);
  const tightened = insertPolicy(database.db, steps.orgId, { action: BLOCK });
  release();
  await busy;
  expect(await prepared).toBe('Ready');
  await tightened;
  expect(await steps.signTransfer(id)).toBe('PolicyChanged');
  await steps.evaluate(id);
  expect(await steps.signTransfer(id)).toBe('Rejected');
  expect([steps.orders, await steps.claims()]).toEqual([[], []]);
});

test('the count of used nonces is read before the balance is requested', async () => {
  const said: string[] = [];
  const answer = async <T>(word: string, value: T): Promise<T> => {
    said.push(`${word}?`);
    await new Promise((resolve) => setImmediate(resolve));
    said.push(`${word}!`);
    return value;
  };
  const reader: ChainReader = {
    family: 'evm',
    chainId: async () => '11155111',
    nativeBalance: () => Promise.reject(new Error('only the asset that pays fees is queried')),
    feeBalance: () => answer('balance', 2n * ETHER),
    collectible: async () => undefined,
    confidentialBalance: async () => undefined,
    tokenBalance: () => answer('token', 0n),
    balancesAt: async () => [],
    tokenMetadata: async () => undefined,
    hasCode: async () => true,
    keyedCount: () => Promise.reject(new Error('accounts have one lane here')),
    hasSponsoring: async () => false,
    sponsoredFees: () => Promise.reject(new Error('no fee is sponsored here')),
    call: () => Promise.reject(new Error('nothing is read from a contract here')),
    transactionCount: () => answer('count', 0),
    leastDataFee: () => Promise.reject(new Error('the minimum fee is not requested here')),
    feeEstimates: () => Promise.reject(new Error('no estimates are requested here')),
    callFees: () => Promise.reject(new Error('no raw transaction here')),
    feeTerms: async () => steps.node.fees,
  };
  const { prepareTransfer } = createTransferPreparation({
    ...APPROVING,
    db: database.db,
    readers: () => reader,
    encryptionAccess: () => undefined,
  });
  const transferId = await steps.transfer();
  expect(await prepareTransfer({ orgId: steps.orgId, transferId })).toBe('Ready');
  expect(said).toEqual(['count?', 'count!', 'balance?', 'balance!']);
});
