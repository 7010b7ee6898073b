import { type OpenPayloads, openPayloadsOver } from '../../../entities/outgoing/open-payloads';
import { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

const NETWORK = 'EthereumSepolia';

let database: TestDatabase;
let openPayloads: OpenPayloads;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
  openPayloads = openPayloadsOver(database.relayUrl);
  steps = await createTransferSteps(database.db, await database.createOrganization());
});
afterAll(async () => {
  await openPayloads?.close();
  await database?.close();
});

test('a payload is open from its signature until it is final; the list has those of all organisations, oldest first', async () => {
  const other = await createTransferSteps(database.db, await database.createOrganization());
  expect(await openPayloads.anywhere(NETWORK)).toBe(false);
  const [mine, foreign] = [await steps.transfer(), await other.transfer()];
  await steps.prepare(mine);
  expect(await openPayloads.of(NETWORK)).toEqual([]);
  await steps.signTransfer(mine);
  await other.send(foreign);
  const found = await openPayloads.of(NETWORK);
  expect(found.map(({ transferId, state }) => [transferId, state])).toEqual([
    [mine, 'Signed'],
    [foreign, 'Broadcasted'],
  ]);
  expect(await openPayloads.of('Ethereum')).toEqual([]);
  expect([await openPayloads.anywhere(NETWORK), await openPayloads.anywhere('Ethereum')]).toEqual([true, false]);
  for (const { orgId, id } of found)
    await database.db.withOrg(orgId, (tx) => tx.update(PayloadEntity, { id }, { state: 'Final' }));
  expect([await openPayloads.of(NETWORK), await openPayloads.anywhere(NETWORK)]).toEqual([[], false]);
});

test('the relay’s role reads ids, hash and block of a payload, and no bytes', async () => {
  const id = await steps.transfer();
  await steps.send(id);
  const [open] = await openPayloads.of(NETWORK);
  const { id: payloadId, txHash } = await steps.payload(id);
  expect(open).toEqual({
    orgId: steps.orgId,
    id: payloadId,
    transferId: id,
    txHash,
    state: 'Broadcasted',
    includedHeight: null,
    includedHash: null,
    operationHash: null,
  });
});
