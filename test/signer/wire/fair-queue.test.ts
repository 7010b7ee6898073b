import { createFairQueue } from '../../../signer/wire/fair-queue';

const LIMITS = { waitingPerOrganisation: 100, waiting: 150, waitingBytes: 1_000, runningPerOrganisation: 3, running: 5 };
const never = () => new Promise<never>(() => undefined);
const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await turnOfTheLoop();
}

/** A queue whose orders record their names when they begin. */
function recorded(limits = LIMITS) {
  const turns = createFairQueue(limits);
  const begun: string[] = [];
  const take = (orgId: string, name: string) => turns.take(orgId, 1, async () => begun.push(name));
  return { turns, begun, take };
}

test('a flood of orders from one organisation delays an order from another organisation by one order at most', async () => {
  const { begun, take } = recorded();
  const flood = Array.from({ length: 60 }, (_unused, index) => take('or-a', `a${index}`));
  await turnsOfTheLoop(10);
  const before = begun.length;
  await take('or-b', 'b');
  expect(before).toBeGreaterThan(1);
  expect(begun.indexOf('b')).toBeLessThanOrEqual(before + 1);
  await Promise.all(flood);
  expect(begun).toHaveLength(61);
});

test('organisations take turns, and the orders of each organisation keep their sequence', async () => {
  const { begun, take } = recorded();
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => take(`or-${name[0]}`, name)));
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('if orders of one organisation do not end, another organisation is still served', async () => {
  const { turns, take } = recorded();
  for (let index = 0; index < 10; index += 1) void turns.take('or-a', 1, never);
  await turnsOfTheLoop(8);
  expect(turns.stats()).toMatchObject({ running: 3, waiting: 7 });
  await take('or-b', 'b');
});

test('an order above the limits is rejected, and an organisation at its limit leaves room for the others', () => {
  const { turns, take } = recorded();
  for (let index = 0; index < 100; index += 1) expect(turns.take('or-a', 1, never)).toBeDefined();
  expect(turns.take('or-a', 1, never)).toBeUndefined();
  for (let index = 0; index < 50; index += 1) expect(take('or-b', `b${index}`)).toBeDefined();
  expect(take('or-c', 'c')).toBeUndefined();
});

test('long orders reach the limit in bytes before the limit in number', async () => {
  const { turns } = recorded();
  expect(turns.take('or-a', 600, never)).toBeDefined();
  expect(turns.take('or-b', 600, never)).toBeUndefined();
  await turnsOfTheLoop(2);
  expect(turns.take('or-b', 600, never)).toBeDefined();
});

test('an order that fails frees its place, and the caller gets the error', async () => {
  const { turns } = recorded();
  const failures = Array.from({ length: 8 }, () =>
    turns.take('or-a', 1, () => {
      throw new Error('broken');
    }),
  );
  for (const failure of failures) await expect(failure).rejects.toThrow('broken');
  await turnOfTheLoop();
  expect(turns.stats()).toMatchObject({ running: 0, waiting: 0 });
});
