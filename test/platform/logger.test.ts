import { AppError } from '../../domain/errors';
import { createLogger } from '../../platform/logger';

const CANARY = 'canary-7f3a';

/** The lines that this logger writes. */
function linesOf(write: (logger: ReturnType<typeof createLogger>) => void, level = 'info'): Record<string, unknown>[] {
  const lines: string[] = [];
  const logger = createLogger('some role', level);
  const stream = Object.getOwnPropertySymbols(logger).find((symbol) => symbol.description === 'pino.stream');
  if (!stream) throw new Error('pino keeps its stream somewhere else now');
  Reflect.set(logger, stream, { write: (line: string) => lines.push(line) });
  write(logger);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function errorWithSecrets(): Error {
  const inner = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED', headers: { authorization: CANARY } });
  const error = new AppError('SignerUnavailable', 'the signer does not answer', { secret: CANARY, deep: { key: CANARY } }, inner);
  return Object.assign(error, { sealedKey: CANARY, toJSON: () => ({ secret: CANARY }) });
}

test('of an error go out name, code, message and stack, and the same of its cause', () => {
  const [line] = linesOf((logger) => logger.error({ err: errorWithSecrets() }, 'it failed'));
  expect(line).toMatchObject({
    role: 'some role',
    msg: 'it failed',
    err: {
      name: 'AppError',
      code: 'SignerUnavailable',
      message: 'the signer does not answer',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { name: 'Error', code: 'ECONNREFUSED', message: 'connection refused' },
    },
  });
});

test.each([
  ['as err', (logger: ReturnType<typeof createLogger>, error: Error) => logger.error({ err: error }, 'x')],
  ['as error', (logger: ReturnType<typeof createLogger>, error: Error) => logger.error({ error }, 'x')],
  ['alone', (logger: ReturnType<typeof createLogger>, error: Error) => logger.error(error)],
  ['alone with words', (logger: ReturnType<typeof createLogger>, error: Error) => logger.error(error, 'x')],
  [
    'by a child logger',
    (logger: ReturnType<typeof createLogger>, error: Error) => logger.child({ a: 1 }).error({ err: error }, 'x'),
  ],
])('no detail or other member of an error is ever written when it is given %s', (_how, write) => {
  const lines = linesOf((logger) => write(logger, errorWithSecrets()));
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain(CANARY);
});

test('something thrown that is no error is named by its type alone', () => {
  expect(linesOf((logger) => logger.error({ err: CANARY }, 'x'))).toMatchObject([{ err: { message: 'string' } }]);
  expect(linesOf((logger) => logger.error({ err: { secret: CANARY } }, 'x'))).toMatchObject([{ err: { message: 'object' } }]);
});

test('a chain of causes ends after the third, also where it is a circle', () => {
  const error = new Error('round and round');
  error.cause = error;
  const [line] = linesOf((logger) => logger.error({ err: error }, 'x'));
  expect(JSON.stringify(line).match(/"message":"round and round"/g)).toHaveLength(4);
});

test('lines below the level are not written', () => {
  expect(linesOf((logger) => logger.info('x'), 'warn')).toEqual([]);
});
