import { MOMENTS, POINTS, REASONS } from '../../drill/kill-points';
import { activityNames } from '../support/durable-names';

const reported = new Set(POINTS.map(({ at }) => at));
const reasons = new Map(Object.entries(REASONS));

test('every activity has each of its moments in the drill, or a written reason why not', () => {
  const missing = activityNames()
    .filter((activity) => !reasons.has(activity))
    .flatMap((activity) => MOMENTS.map((moment) => `${activity}:${moment}`))
    .filter((point) => !reported.has(point) && !reasons.has(point));
  expect(missing).toEqual([]);
});

test('no reason is given for a point at which the drill kills', () => {
  const idle = [...reasons.keys()].filter((name) => {
    const [activity, moment] = name.split(':');
    return moment === undefined ? POINTS.some(({ at }) => at.startsWith(`${activity}:`)) : reported.has(name);
  });
  expect(idle).toEqual([]);
});

test('a step that calls another process is killed before the call and after the answer', () => {
  for (const activity of ['signTransfer', 'broadcastTransfer', 'createWalletKey', 'offerAmendment']) {
    expect([...reported]).toEqual(expect.arrayContaining([`${activity}:asked`, `${activity}:answered`]));
  }
});

test('no two rows of the table have the same name', () => {
  const names = POINTS.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
