import { feedUnderChaos, versionsIn } from './feed-chaos';

const EVENTS = 3_000;

test('while sequencers die and the reader is cut off, the reader gets every event once, in the order of each record', async () => {
  const { emitted, items } = await feedUnderChaos(EVENTS, 1);
  expect(items.length).toBeGreaterThanOrEqual(EVENTS);
  expect(items.map(({ event }) => event.id).sort()).toEqual([...emitted].sort());
  expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_item, at) => at + 1));
  for (const versions of versionsIn(items)) expect(versions).toEqual(versions.map((_version, at) => at + 1));
});
