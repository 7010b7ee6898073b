import { errorBody, toAppError } from '../../../api/http/errors';
import { AppError, invariant } from '../../../domain/errors';

const withCode = (code: string, cause?: unknown) => Object.assign(new Error('secret detail', { cause }), { code });

test.each(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '53300', '08006', '40001', '40P01', '57014'])(
  '503: %s means that the database could not be queried',
  (code) => {
    expect(errorBody(toAppError(withCode(code)))).toEqual({
      error: { id: 'NotReady', status: 503, message: 'The service cannot answer right now; try again' },
    });
  },
);

test('503: a database error is recognised by the code of its cause, and an exhausted pool by its message', () => {
  expect(toAppError(withCode('X', withCode('ECONNREFUSED'))).status).toBe(503);
  expect(toAppError(new Error('timeout exceeded when trying to connect')).status).toBe(503);
  expect(toAppError(new Error('Connection terminated unexpectedly')).status).toBe(503);
  expect(toAppError(new Error('Client has encountered a connection error and is not queryable')).status).toBe(503);
  expect(toAppError(new Error('Query runner already released. Cannot run queries anymore.')).status).toBe(503);
});

test.each([withCode('23505'), withCode('42601'), new TypeError('secret detail'), 'a string', undefined])(
  '500: the answer reveals nothing about an unforeseen error: %p',
  (error) => {
    expect(errorBody(toAppError(error))).toEqual({ error: { id: 'Internal', status: 500, message: 'Internal Server Error' } });
  },
);

test('500: the answer does not contain the reason of a broken invariant', () => {
  try {
    invariant(false, 'canary');
  } catch (error) {
    expect(JSON.stringify(errorBody(toAppError(error)))).not.toContain('canary');
  }
});

test('the answer for an error of the catalogue contains its code, status, message and details, but never its cause', () => {
  const error = new AppError('Conflict', 'taken', { duplicate: { id: 'x' } }, new Error('canary'));
  expect(errorBody(toAppError(error))).toEqual({
    error: { id: 'Conflict', status: 409, message: 'taken', details: { duplicate: { id: 'x' } } },
  });
});
