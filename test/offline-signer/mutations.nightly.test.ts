import { type FoundedFleet, foundFleet } from '../support/founded-fleet';
import { mutatedArchives, mutatedByDevice, mutatedOutputs } from './mutated-archives';

jest.setTimeout(1_800_000);
let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet({ secp256k1: 2, ed25519: 2 });
});
afterAll(() => fleet.room.remove());

const SEED = Number(process.env['FLEET_SEED'] ?? Date.now() % 1_000_000);

test(`none of ten thousand changed archives is accepted (FLEET_SEED=${SEED})`, async () => {
  const outcomes = [await mutatedOutputs(fleet, SEED, 2_000), await mutatedByDevice(fleet, SEED + 1, 2_500)];
  outcomes.push(...Object.values(await mutatedArchives(fleet, SEED + 2, 600)));
  const found = outcomes.flatMap(({ accepted, broken }) => [...accepted, ...broken]);
  expect(found).toEqual([]);
  expect(outcomes.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(10_000);
});
