import { contextFrom, inContext, requestContext, withoutContext } from '../../platform/request-context';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('work sees its own context, also after a wait, and work outside a context sees no context', async () => {
  const seen = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return requestContext();
  };
  const [one, other, none] = await Promise.all([
    inContext({ requestId: 'one' }, seen),
    inContext({ requestId: 'other', traceparent: TRACEPARENT }, seen),
    seen(),
  ]);
  expect([one, other, none]).toEqual([{ requestId: 'one' }, { requestId: 'other', traceparent: TRACEPARENT }, {}]);
});

test('a stored context is used only if its request id and trace parent have the right format', () => {
  const given = { requestId: '0f8fad5b-d9cb-469f-a165-70867728950e', traceparent: TRACEPARENT };
  expect(contextFrom({ ...given, workflow: 'transfer' })).toEqual(given);
  for (const requestId of ['', 'a b', 'a"b', 'x'.repeat(65), 7, null, { id: 'x' }])
    expect(contextFrom({ requestId })).toEqual({});
  for (const traceparent of [
    TRACEPARENT.toUpperCase(),
    TRACEPARENT.replace('00-', '01-'),
    TRACEPARENT.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    TRACEPARENT.replace('b7ad6b7169203331', '0'.repeat(16)),
    `${TRACEPARENT}-more`,
    '',
    ['x'],
  ]) {
    expect(contextFrom({ traceparent })).toEqual({});
  }
});

test('the routing of the work is separate from the context', () => {
  const routing = { workflow: 'transfer', requestId: 'x', traceparent: TRACEPARENT };
  expect(withoutContext(routing)).toEqual({ workflow: 'transfer' });
  expect(routing).toHaveProperty('requestId');
});
