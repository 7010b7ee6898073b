import { operations } from '../../api/operations';
import { CLASS_OF_OPERATION, EXACT_CLASSES, GUESS_RULES, RATE_CLASSES, RATE_LIMITS, rateTable } from '../../domain/rate-limits';

test('a table without overrides is the table', () => {
  expect(rateTable({})).toEqual(RATE_LIMITS);
});

test('overrides replace the requests of a scope, a factor changes all, and neither touches a window', () => {
  const table = rateTable({ scale: 0.5, SignIn: { address: 500 }, Mail: { named: 1 } });
  expect(table.SignIn).toEqual({ address: { requests: 250, seconds: 60 } });
  expect(table.Mail).toEqual({ address: { requests: 30, seconds: 3_600 }, named: { requests: 1, seconds: 3_600 } });
  expect(table.Read.token).toEqual({ requests: RATE_LIMITS.Read.token.requests / 2, seconds: 60 });
});

test('a scope that the table does not count stays uncounted', () => {
  expect(rateTable({ SignIn: { token: 5 } }).SignIn).not.toHaveProperty('token');
});

test('every operation with a class of its own is served', () => {
  const ids = operations.map(({ id }) => id);
  expect(Object.keys(CLASS_OF_OPERATION).filter((id) => !ids.includes(id))).toEqual([]);
});

test('whatever a stranger may call is counted exactly, by its address', () => {
  for (const name of EXACT_CLASSES) expect(rateTable({})[name]).toHaveProperty('address');
  expect(RATE_CLASSES.filter((name) => !('token' in RATE_LIMITS[name]))).toEqual(EXACT_CLASSES);
});

test('a pause is bounded, and an address alone is paused long before everybody is', () => {
  expect(GUESS_RULES.pair.mostMs).toBeLessThanOrEqual(3_600_000);
  expect(GUESS_RULES.whole.mostMs).toBeLessThanOrEqual(3_600_000);
  expect(GUESS_RULES.whole.free).toBeGreaterThanOrEqual(10 * GUESS_RULES.pair.free);
});
