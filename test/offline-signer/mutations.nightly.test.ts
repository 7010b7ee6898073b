import { type FoundedFleet, foundFleet } from '../support/founded-fleet';
import { mutatedArchives, mutatedByDevice, mutatedOutputs, type Outcome } from './mutated-archives';

jest.setTimeout(1_800_000);
let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet({ secp256k1: 2, ed25519: 2 });
});
afterAll(() => fleet.room.remove());

const SEED = Number(process.env['FLEET_SEED'] ?? Date.now() % 1_000_000);

/** The resident memory may grow by this, which is far less than a bomb of numbers or nested lists would need. */
const GROWTH_MIB_MAX = 1_024;
const residentMiB = () => process.memoryUsage.rss() / 2 ** 20;

function table(outcomes: Readonly<Record<string, Outcome>>): string {
  const sums = (counts: readonly ReadonlyMap<string, number>[]) => {
    const sum = new Map<string, number>();
    for (const [name, count] of counts.flatMap((one) => [...one])) sum.set(name, (sum.get(name) ?? 0) + count);
    return [...sum].sort(([, one], [, other]) => other - one).map(([name, count]) => `${name} ${count}`);
  };
  const all = Object.values(outcomes);
  const parts = Object.entries(outcomes).map(([part, { tried, accepted }]) => `${part} ${tried}, ${accepted.length} accepted`);
  const [ways, checks] = [sums(all.map((one) => one.ways)), sums(all.map((one) => one.checks))];
  return [...parts, `changes: ${ways.join(', ')}`, `refused by: ${checks.join(', ')}`].join('\n');
}

test(`none of ten thousand changed archives is accepted (FLEET_SEED=${SEED})`, async () => {
  const before = residentMiB();
  const outcomes = {
    output: await mutatedOutputs(fleet, SEED, 2_000),
    'output by a hostile device': await mutatedByDevice(fleet, SEED + 1, 2_500),
    ...(await mutatedArchives(fleet, SEED + 2, 600)),
  };
  process.stdout.write(`${table(outcomes)}\n`);
  const all = Object.values(outcomes);
  expect(all.flatMap(({ accepted, broken }) => [...accepted, ...broken])).toEqual([]);
  expect(all.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(10_000);
  expect(residentMiB() - before).toBeLessThan(GROWTH_MIB_MAX);
});
