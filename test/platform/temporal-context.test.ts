import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { CONTEXT_HEADER } from '../../domain/headers';
import { inContext } from '../../platform/request-context';
import { contextInterceptor, requestContextOf } from '../../platform/temporal-context';

/** The headers of a sent signal. */
async function sent(headers: Headers = {}): Promise<Headers> {
  let seen: Headers = {};
  const input = { signalName: 'settled', args: [], workflowExecution: { workflowId: 'xfr-1' }, headers };
  await contextInterceptor.signal?.(input, async (given) => {
    seen = given.headers;
  });
  return seen;
}

test('a signal contains the context of the request that causes it, in addition to its own headers', async () => {
  const headers = await inContext({ requestId: 'req-1' }, () => sent({ other: {} }));
  expect(Object.keys(headers)).toEqual(['other', CONTEXT_HEADER]);
  expect(requestContextOf(headers)).toEqual({ requestId: 'req-1' });
});

test('a signal outside a request does not contain a context', async () => {
  expect(await sent()).toEqual({});
  expect(requestContextOf({})).toEqual({});
});

test.each([
  ['invalid JSON', { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') }],
  ['an unknown encoding', { metadata: { encoding: Buffer.from('binary/other') }, data: Buffer.from('x') }],
  ['null', defaultPayloadConverter.toPayload(null)],
  ['a list', defaultPayloadConverter.toPayload(['req-1'])],
  ['values in a wrong format', defaultPayloadConverter.toPayload({ requestId: 'a\nline', traceparent: 'x' })],
])('a context header with %s is ignored', (_what, payload) => {
  expect(requestContextOf({ [CONTEXT_HEADER]: payload })).toEqual({});
});
