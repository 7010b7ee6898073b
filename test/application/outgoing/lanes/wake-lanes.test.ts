import { wakeLane } from '../../../../application/outgoing/lanes/wake-lanes';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const wake = (places: number) =>
  database.db.withOrg(steps.orgId, (tx) => wakeLane(tx, { network: 'EthereumSepolia', address: steps.address }, places));
const waiting = (seconds: number) => steps.transfer({ waitingSince: new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)) });

test('as many transfers are woken as places in the lane (the queue of the sender) became free, the longest waiting first', async () => {
  const [third, first, second] = [await waiting(3), await waiting(1), await waiting(2)];
  await wake(2);
  expect([await steps.signals(first), await steps.signals(second), await steps.signals(third)]).toEqual([
    ['laneChanged'],
    ['laneChanged'],
    [],
  ]);
});

test('every wake-up sends its own signal, because an earlier signal may have come too early', async () => {
  const id = await waiting(1);
  await wake(1);
  await wake(1);
  expect(await steps.signals(id)).toEqual(['laneChanged', 'laneChanged']);
});

test('no transfer is woken if no place is free, if it belongs to a different lane, or if its state does not wait', async () => {
  const id = await waiting(1);
  await wake(0);
  const elsewhere = await steps.transfer({ waitingSince: new Date(), fromAddress: '0x0000000000000000000000000000000000000001' });
  const moved = await steps.transfer({ waitingSince: new Date(0), state: 'Signing' });
  await wake(5);
  expect(await Promise.all([id, elsewhere, moved].map(steps.signals))).toEqual([['laneChanged'], [], []]);
});
