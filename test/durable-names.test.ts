import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityNames, durableNames } from './support/durable-names';

const LIST = join(__dirname, 'durable-names.json');
const CACHE = join(__dirname, '..', '.cache');

test('a durable name, which histories, rows, addresses or customers’ code contain, never changes unnoticed', () => {
  const names: unknown = JSON.parse(JSON.stringify(durableNames()));
  // An engineer copies an intended change from this file by hand, so that the commit shows the change.
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, 'durable-names.json'), `${JSON.stringify(names, undefined, 2)}\n`);
  expect(names).toEqual(JSON.parse(readFileSync(LIST, 'utf8')));
});

test('no two factories return activities with the same name: the worker would silently keep only the last of them', () => {
  const names = activityNames();
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
