import { asking, during, type Passing, points, reach } from '../../platform/points';

afterEach(() => points.unsubscribe(refuse));
const refuse = (message: unknown) => {
  (message as Passing).until = Promise.reject(new Error('held'));
};

test('without a subscriber, a point (a place in the code where a test can intervene) returns the promise of the work at once', async () => {
  expect(points.hasSubscribers).toBe(false);
  expect(reach('committing', {})).toBeUndefined();
  const work = Promise.resolve('done');
  expect(during('signTransfer', {}, () => work)).toBe(work);
  expect(asking('signTransfer', () => work)).toBe(work);
});

test('a caller waits for the promise that a subscriber sets, and fails if the promise rejects', async () => {
  let release = () => {};
  const hold = (message: unknown) => {
    (message as Passing).until = new Promise((resolve) => {
      release = resolve;
    });
  };
  points.subscribe(hold);
  let passed = false;
  const passing = reach('committing')?.then(() => {
    passed = true;
  });
  await new Promise(setImmediate);
  expect(passed).toBe(false);
  release();
  await passing;
  points.unsubscribe(hold);
  points.subscribe(refuse);
  await expect(reach('committing')).rejects.toThrow('held');
  await expect(during('signTransfer', {}, async () => 'done')).rejects.toThrow('held');
});

test('a subscriber that does not set a promise does not delay callers', async () => {
  const heard: unknown[] = [];
  const listen = (message: unknown) => heard.push((message as Passing).moment);
  points.subscribe(listen);
  expect(await during('signTransfer', {}, () => asking('signTransfer', async () => 'done'))).toBe('done');
  points.unsubscribe(listen);
  expect(heard).toEqual(['begun', 'asked', 'answered', 'done']);
});
