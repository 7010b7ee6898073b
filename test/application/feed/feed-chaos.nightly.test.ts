import { feedUnderChaos, versionsIn } from './feed-chaos';

const EVENTS = 100_000;
const LIMIT_MS = 900_000;

test(
  'a hundred thousand events arrive once each',
  async () => {
    const { emitted, items } = await feedUnderChaos(EVENTS, 2);
    expect(items.length).toBeGreaterThanOrEqual(EVENTS);
    expect(new Set(items.map(({ event }) => event.id))).toEqual(new Set(emitted));
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_item, at) => at + 1));
    for (const versions of versionsIn(items)) expect(versions).toEqual(versions.map((_version, at) => at + 1));
  },
  LIMIT_MS,
);
