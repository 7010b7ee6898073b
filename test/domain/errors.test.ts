import { AppError, ERRORS, type ErrorCode, invariant } from '../../domain/errors';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const statusOf = (code: ErrorCode): number => ERRORS[code].status;

test.each(CODES)('%s carries the status and the retry rule of the catalogue', (code) => {
  const error = new AppError(code, 'some words');
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ code, status: ERRORS[code].status, retryable: ERRORS[code].retryable, details: {} });
});

test('codes consist of letters only, because they are stored in histories and sent to clients', () => {
  expect(CODES.filter((code) => !/^[A-Z][A-Za-z]+$/.test(code))).toEqual([]);
});

test('a status is an HTTP error, and every 503 can be retried', () => {
  expect(CODES.filter((code) => statusOf(code) < 400 || statusOf(code) > 599)).toEqual([]);
  expect(CODES.filter((code) => statusOf(code) === 503 && !ERRORS[code].retryable)).toEqual([]);
});

test('an error that the caller caused is never retryable, except for the rate limit', () => {
  expect(CODES.filter((code) => statusOf(code) < 500 && ERRORS[code].retryable)).toEqual(['RateLimited']);
});

test('a broken invariant shows callers no details and keeps its message as the cause', () => {
  expect(() => invariant('something', 'it is there')).not.toThrow();
  let caught: unknown;
  try {
    invariant(0, 'the canary stays inside');
  } catch (error) {
    caught = error;
  }
  expect(caught).toMatchObject({
    code: 'Internal',
    status: 500,
    retryable: false,
    message: 'Internal Server Error',
    details: {},
  });
  expect((caught as Error).cause).toEqual(new Error('invariant: the canary stays inside'));
});

test('an error that was created without a cause has no cause', () => {
  expect('cause' in new AppError('NotFound', 'wallet not found')).toBe(false);
});
