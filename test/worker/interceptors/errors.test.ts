import { ApplicationFailure, CancelledFailure, defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { AppError, ERRORS, type ErrorCode } from '../../../domain/errors';
import { failureConverter } from '../../../platform/failure-converter';
import { activityErrors } from '../../../worker/interceptors/errors';

const CANARY = 'canary-7f3a';
const { inbound } = activityErrors();

/** The failure into which the interceptor turns this error of an activity. */
function failureOf(thrown: unknown): Promise<unknown> {
  const running = inbound.execute?.({ args: [], headers: {} }, () => Promise.reject(thrown));
  if (!running) throw new Error('the interceptor does not intercept activities');
  return running.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each(Object.keys(ERRORS) as ErrorCode[])(
  '%s becomes a failure of that type, which is retried only if a retry can help',
  async (code) => {
    const failure = await failureOf(new AppError(code, 'some words'));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: code, message: 'some words', nonRetryable: !ERRORS[code].retryable });
  },
);

test('details of an error never reach Temporal, not even encrypted', async () => {
  const cause = Object.assign(new Error('inner words'), { secret: CANARY });
  const failure = await failureOf(new AppError('SignerUnavailable', 'some words', { secret: CANARY }, cause));
  const proto = failureConverter.errorToFailure(failure, defaultPayloadConverter);
  const stored = Buffer.from(temporal.api.failure.v1.Failure.encode(proto).finish());
  expect(stored.includes('inner words')).toBe(true);
  expect(stored.includes(CANARY)).toBe(false);
});

test('every other error passes as it is, so that a cancellation stays a cancellation', async () => {
  for (const error of [new CancelledFailure('stop'), new Error('a bug'), 'a word']) expect(await failureOf(error)).toBe(error);
});

test('an activity that succeeds returns its own result', async () => {
  await expect(inbound.execute?.({ args: [], headers: {} }, async () => 'answer')).resolves.toBe('answer');
});
