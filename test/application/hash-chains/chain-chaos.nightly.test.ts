import { HASH_CHAINS } from '../../../domain/hash-chains';
import { SUBJECTS, underChaos, versionsIn } from './chain-chaos';

const ITEMS = 100_000;
const LIMIT_MS = 900_000;

test.each(HASH_CHAINS)(
  'a hundred thousand items of the chain %s arrive once each',
  async (chain) => {
    const { added, items } = await underChaos(SUBJECTS[chain], ITEMS, 2);
    expect(items.length).toBeGreaterThanOrEqual(ITEMS);
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(added));
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_item, at) => at + 1));
    for (const versions of versionsIn(items)) expect(versions).toEqual(versions.map((_version, at) => at + 1));
  },
  LIMIT_MS,
);
