import { HASH_CHAINS } from '../../../domain/hash-chains';
import { SUBJECTS, underChaos, versionsIn } from './chain-chaos';

const ITEMS = 3_000;

test.each(HASH_CHAINS)(
  'while sequencers die and the reader is cut off, the reader of the chain %s gets every item once, and the items of each record in their order',
  async (chain) => {
    const { added, items } = await underChaos(SUBJECTS[chain], ITEMS, 1);
    expect(items.length).toBeGreaterThanOrEqual(ITEMS);
    expect(items.map(({ id }) => id).sort()).toEqual([...added].sort());
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_item, at) => at + 1));
    for (const versions of versionsIn(items)) expect(versions).toEqual(versions.map((_version, at) => at + 1));
  },
);
