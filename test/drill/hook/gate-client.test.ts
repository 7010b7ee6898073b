import { HookEnv } from '../../../drill/hook/config';
import { idsIn } from '../../../drill/hook/gate-client';

test('only ids of the service and names that a drill gave leave the process', () => {
  const secret = 'canary-of-a-secret-that-is-no-id';
  const found = idsIn([
    { id: 'xfr-01m7y-8ymqy-3vekw85mbh1vyceh', token: secret, nested: [{ externalId: 'drill-worker-0' }, 42, null, undefined] },
    'WHERE t.id = $1',
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  ]);
  expect(found).toEqual(['xfr-01m7y-8ymqy-3vekw85mbh1vyceh', 'drill-worker-0']);
});

test('a value that contains itself is not followed for ever', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(idsIn(circle)).toEqual([]);
});

test.each(['https://127.0.0.1:1/reached', 'http://localhost:1/reached', 'http://10.0.0.1:1/reached'])(
  '%s is refused as a gate: a gate is on this machine and uses plain http',
  (url) => {
    expect(HookEnv.shape.DRILL_GATE_URL.safeParse(url).success).toBe(false);
    expect(HookEnv.shape.DRILL_GATE_URL.safeParse('http://127.0.0.1:1/reached').success).toBe(true);
  },
);
