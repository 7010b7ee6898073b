import { AppError } from '../../domain/errors';
import { createLogger, type Logger } from '../../platform/logger';
import { inContext } from '../../platform/request-context';

const CANARY = 'canary-7f3a';

/** The lines that a logger writes during the callback. */
function linesOf(write: (logger: Logger) => void, level = 'info'): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLogger('some role', level, { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function errorWithSecrets(): Error {
  const inner = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED', headers: { authorization: CANARY } });
  const error = new AppError('SignerUnavailable', 'the signer does not answer', { secret: CANARY, deep: { key: CANARY } }, inner);
  return Object.assign(error, { sealedKey: CANARY, toJSON: () => ({ secret: CANARY }) });
}

test('the line has the name, code, message and stack of an error, and those of its cause', () => {
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
  expect(JSON.stringify(line)).not.toContain(CANARY);
});

test('a member that is not on the list is never written, and neither is a value with the wrong type', () => {
  const stray: object = { orgId: 'or-1', secret: CANARY, error: errorWithSecrets(), network: { deep: CANARY }, attempts: CANARY };
  expect(linesOf((logger) => logger.info(stray, 'x'))).toEqual([
    { level: 'info', time: expect.any(String), role: 'some role', msg: 'x', orgId: 'or-1' },
  ]);
  expect(linesOf((logger) => logger.info({ names: ['a', { deep: CANARY }] } as object, 'x'))).toMatchObject([{ names: ['a'] }]);
});

test('an error that is passed as the members is not logged: the line has only the message', () => {
  const lines = linesOf((logger) => logger.error(errorWithSecrets() as object, 'x'));
  expect(lines).toMatchObject([{ msg: 'x' }]);
  expect(JSON.stringify(lines)).not.toContain(CANARY);
});

test('the message of a parse error does not quote the text', () => {
  const unreadable = () => {
    try {
      return JSON.parse(`${CANARY}{`) as Error;
    } catch (error) {
      return new Error('outer', { cause: error });
    }
  };
  const lines = linesOf((logger) => logger.error({ err: unreadable() }, 'x'));
  expect(lines).toMatchObject([
    { err: { message: 'outer', cause: { name: 'SyntaxError', message: 'a text could not be read' } } },
  ]);
  expect(JSON.stringify(lines)).not.toContain(CANARY);
});

test('a message is not a format string, and a long member is truncated', () => {
  expect(linesOf((logger) => logger.info('100 %s %o'))).toMatchObject([{ msg: '100 %s %o' }]);
  const [line] = linesOf((logger) => logger.info({ network: 'n'.repeat(5_000) }, 'x'));
  expect(String(line?.['network']).length).toBeLessThan(400);
});

test('a line in the context of a request contains the request id, also after a wait; other lines do not', async () => {
  const lines: string[] = [];
  const logger = createLogger('some role', 'info', { write: (line) => lines.push(line) });
  await inContext({ requestId: 'req-1' }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    logger.info('inside');
  });
  logger.info('outside');
  expect(lines.map((line) => (JSON.parse(line) as { requestId?: string }).requestId)).toEqual(['req-1', undefined]);
});

test('for a thrown value that is not an error, only its type is logged', () => {
  expect(linesOf((logger) => logger.error({ err: CANARY }, 'x'))).toMatchObject([{ err: { message: 'string' } }]);
  expect(linesOf((logger) => logger.error({ err: { secret: CANARY } }, 'x'))).toMatchObject([{ err: { message: 'object' } }]);
});

test('a chain of causes ends after the third cause, even if the chain is circular', () => {
  const error = new Error('round and round');
  error.cause = error;
  const [line] = linesOf((logger) => logger.error({ err: error }, 'x'));
  expect(JSON.stringify(line).match(/"message":"round and round"/g)).toHaveLength(4);
});

test('lines below the level are not written', () => {
  expect(linesOf((logger) => logger.info('x'), 'warn')).toEqual([]);
});

test.each(['fatal', 'error', 'warn', 'info', 'debug'] as const)(
  'a line of level %s contains the level as a word and the time in ISO 8601',
  (level) => {
    const [line] = linesOf((logger) => logger[level]('x'), 'debug');
    expect(line?.['level']).toBe(level);
    expect(new Date(String(line?.['time'])).toISOString()).toBe(line?.['time']);
  },
);
