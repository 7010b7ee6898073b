import { inline, run, SCRIPTS } from './script';

const REQUEST = {
  level: 'info',
  time: '2026-11-22T12:34:56.789Z',
  role: 'api',
  method: 'GET',
  path: '/wallets/{walletId}',
  status: 200,
  ms: 4,
  orgId: 'or-1',
  msg: 'request',
};

/** The text that a stream of this kind receives for a log line from the API. */
async function written(line: string, { isTTY, production = false }: { readonly isTTY: boolean; readonly production?: boolean }) {
  const source = `
import { createOutput } from '${SCRIPTS}/supervisor/output.mjs';
const stream = { isTTY: ${isTTY}, on: () => undefined, write: (text) => process.stdout.write(text) };
createOutput(stream, ${production}).lineOf('api')(${JSON.stringify(line)});`;
  const { output } = await run(inline(source), { TZ: 'UTC' });
  return output;
}

test('on a terminal a line of the trial is a sentence with its time and level, not JSON', async () => {
  const line = await written(JSON.stringify(REQUEST), { isTTY: true });
  expect(line).toMatch(/ \| 12:34:56 info {2}GET \/wallets\/\{walletId\} -> 200 in 4 ms orgId=or-1\n$/);
});

test('the line for an error contains the message and the stack of the error', async () => {
  const failed = {
    ...REQUEST,
    level: 'error',
    status: 500,
    msg: 'request failed',
    err: { message: 'x', stack: 'Error: x\n    at y' },
  };
  const line = await written(JSON.stringify(failed), { isTTY: true });
  expect(line).toMatch(/12:34:56 error request failed GET \S+ -> 500 in 4 ms orgId=or-1\nError: x\n {4}at y\n$/);
});

test('a line that is not JSON stays unchanged', async () => {
  expect(await written('{"level":broken', { isTTY: true })).toMatch(/ \| \{"level":broken\n$/);
});

test.each([
  ['outside a terminal', { isTTY: false }],
  ['in production', { isTTY: true, production: true }],
])('%s a line stays JSON', async (_where, stream) => {
  expect((await written(JSON.stringify(REQUEST), stream)).split(' | ')[1]).toBe(`${JSON.stringify(REQUEST)}\n`);
});
