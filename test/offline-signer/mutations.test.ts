import { type FoundedFleet, foundFleet } from '../support/founded-fleet';
import { mutatedArchives, mutatedByDevice, mutatedOutputs, type Outcome } from './mutated-archives';

jest.setTimeout(120_000);
let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet({ secp256k1: 2, ed25519: 2 });
});
beforeEach(() => fleet.restore());
afterAll(() => fleet.room.remove());

const expectNone = ({ accepted, broken }: Outcome) => expect({ accepted, broken }).toEqual({ accepted: [], broken: [] });

test('none of 300 changed outputs is accepted, and each refusal names a check', async () => {
  const outcome = await mutatedOutputs(fleet, 1, 150);
  expectNone(outcome);
  expect(outcome.tried).toBeGreaterThan(280);
  expect([...outcome.checks.keys()]).toEqual(expect.arrayContaining(['Form', 'DeviceSignature', 'OutputDigest']));
});

test('none of 200 outputs that a hostile device changed and signed is accepted', async () => {
  const outcome = await mutatedByDevice(fleet, 2, 200);
  expectNone(outcome);
  expect([...outcome.checks.keys()]).toEqual(expect.arrayContaining(['Registration', 'ManifestSignature', 'Boxes']));
});

test('no changed archive is accepted by any machine, and no state changes', async () => {
  const outcomes = await mutatedArchives(fleet, 3, 60);
  for (const outcome of Object.values(outcomes)) expectNone(outcome);
  expect(Object.keys(outcomes)).toHaveLength(8);
});
