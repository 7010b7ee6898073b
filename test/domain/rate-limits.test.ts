import { operations } from '../../api/operations';
import { CLASS_OF_OPERATION, EXACT_CLASSES, GUESS_RULES, RATE_CLASSES, RATE_LIMITS, rateTable } from '../../domain/rate-limits';

test('without overrides, the default limits apply', () => {
  expect(rateTable({})).toEqual(RATE_LIMITS);
});

test('an override replaces the request limit of a scope, a factor scales all limits, and the windows stay', () => {
  const table = rateTable({ scale: 0.5, SignIn: { address: 500 }, Mail: { named: 1 } });
  expect(table.SignIn).toEqual({ address: { requests: 250, seconds: 60 } });
  expect(table.Mail).toEqual({ address: { requests: 30, seconds: 3_600 }, named: { requests: 1, seconds: 3_600 } });
  expect(table.Read.token).toEqual({ requests: RATE_LIMITS.Read.token.requests / 2, seconds: 60 });
});

test('an override for a scope without a default limit has no effect', () => {
  expect(rateTable({ SignIn: { token: 5 } }).SignIn).not.toHaveProperty('token');
});

test('the API serves every operation that has a class of its own', () => {
  const ids: readonly string[] = operations.map(({ id }) => id);
  expect(Object.keys(CLASS_OF_OPERATION).filter((id) => !ids.includes(id))).toEqual([]);
});

test('every operation that an unauthenticated caller may use is counted exactly, by address', () => {
  for (const name of EXACT_CLASSES) expect(rateTable({})[name]).toHaveProperty('address');
  expect(RATE_CLASSES.filter((name) => !('token' in RATE_LIMITS[name]))).toEqual(EXACT_CLASSES);
});

test('a pause is bounded, and one address is paused long before all addresses are', () => {
  expect(GUESS_RULES.pair.mostMs).toBeLessThanOrEqual(3_600_000);
  expect(GUESS_RULES.whole.mostMs).toBeLessThanOrEqual(3_600_000);
  expect(GUESS_RULES.whole.free).toBeGreaterThanOrEqual(10 * GUESS_RULES.pair.free);
});
