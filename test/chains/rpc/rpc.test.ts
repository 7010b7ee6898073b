import { z } from 'zod';
import { createRpc, Quantity, RpcError } from '../../../chains/rpc/rpc';
import type { AppError } from '../../../domain/errors';
import { refusal, result, silence, startFakeNode, text } from './fake-node';

/** Long enough for a busy machine, short enough to wait out a silent node. */
const TIMEOUT_MS = 1_500;

let first: Awaited<ReturnType<typeof startFakeNode>>;
let second: Awaited<ReturnType<typeof startFakeNode>>;

beforeEach(async () => {
  first = await startFakeNode(result('0x1'));
  second = await startFakeNode(result('0x2'));
});
afterEach(async () => {
  await first.stop();
  await second.stop();
});

const rpcOfBoth = () => createRpc('EthereumSepolia', [first.url, second.url], { timeoutMs: TIMEOUT_MS });
const ask = (rpc = rpcOfBoth()) => rpc('eth_blockNumber', [], Quantity);

test('the first node gets the requests as long as it replies', async () => {
  const rpc = rpcOfBoth();
  expect([await ask(rpc), await ask(rpc)]).toEqual([1n, 1n]);
  expect(second.asked).toEqual([]);
});

test.each<[string, ReturnType<typeof text>]>([
  ['does not reply', silence],
  ['returns 500', text(500, '{}')],
  ['returns 429', text(429, 'slow down')],
  ['redirects', (question, response) => text(307, '', { location: second.url })(question, response)],
  ['does not return JSON', text(200, '<html>')],
  ['returns a value in the wrong format', result({ number: 1 })],
  ['returns an invalid number', result('0xzz')],
  ['sends more than the limit', text(200, `${' '.repeat(9 * 1024 * 1024)}{"result":"0x1"}`)],
  ['reports too many requests', refusal(-32005, 'limit exceeded')],
  ['reports an internal error', refusal(-32603, 'internal error')],
])('if the first node %s, the second gets the request and stays the preferred node', async (_what, behaviour) => {
  first.behave(behaviour);
  const rpc = rpcOfBoth();
  expect([await ask(rpc), await ask(rpc)]).toEqual([2n, 2n]);
  expect(first.asked).toHaveLength(1);
});

test('a node that cannot be reached is skipped', async () => {
  await first.stop();
  expect(await ask()).toBe(2n);
  first = await startFakeNode(silence);
});

test('if no node replies, the error is retryable and does not contain a node’s address', async () => {
  first.behave(silence);
  second.behave(text(502, ''));
  const error = await ask().then(
    () => undefined,
    (thrown: AppError) => thrown,
  );
  expect(error).toMatchObject({ code: 'NetworkUnavailable', retryable: true, details: { network: 'EthereumSepolia' } });
  expect(JSON.stringify([error?.message, error?.details])).not.toMatch(/127\.0\.0\.1|secret-key/);
});

test('a refusal is final: no other node gets the request', async () => {
  first.behave(refusal(-32000, `nonce too low${'!'.repeat(1_000)}`));
  const error = await ask().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RpcError);
  expect((error as RpcError).message.length).toBeLessThanOrEqual(300);
  expect(second.asked).toEqual([]);
});

test('if the family requires it, integers with 16 or more digits are returned as texts, and other numbers stay unchanged', async () => {
  const told =
    '{"a":9007199254740993,"b":[1234567890123456,123456789012345,18446744073709551615],"c":"1234567890123456","d":1.2345678901234567,"e":0}';
  const node = await startFakeNode(text(200, `{"jsonrpc":"2.0","id":1,"result":${told}}`));
  try {
    const asked = (longNumbersAsText?: true) =>
      createRpc('SolanaDevnet', [node.url], longNumbersAsText && { longNumbersAsText })('getBlock', [], z.looseObject({}));
    expect(await asked(true)).toEqual({
      ...{ a: '9007199254740993', b: ['1234567890123456', 123_456_789_012_345, '18446744073709551615'] },
      ...{ c: '1234567890123456', d: 1.2345678901234567, e: 0 },
    });
    expect(await asked()).toMatchObject({ b: [1_234_567_890_123_456, 123_456_789_012_345, expect.any(Number)] });
  } finally {
    await node.stop();
  }
});
