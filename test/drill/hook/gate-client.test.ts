import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HookEnv } from '../../../drill/hook/config';
import { idsIn } from '../../../drill/hook/gate-client';
import { ROOT } from '../../support/compose';
import { openGate } from '../../support/drill-gate';

test('a process reports only ids of the service, names of networks and names of the drill', () => {
  const secret = 'canary-of-a-secret-that-is-no-id';
  const found = idsIn([
    { id: 'xfr-01m7y-8ymqy-3vekw85mbh1vyceh', token: secret, nested: [{ externalId: 'drill-worker-0' }, 42, null, undefined] },
    'WHERE t.id = $1',
    { network: 'BitcoinSignet', other: 'BitcoinSignets' },
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  ]);
  expect(found).toEqual(['xfr-01m7y-8ymqy-3vekw85mbh1vyceh', 'drill-worker-0', 'BitcoinSignet']);
});

test('a process reports only the ids of the requests in a batch of the journal', () => {
  const id = 'xfr-01m7y-8ymqy-3vekw85mbh1vyceh';
  const line = `${'0'.repeat(64)} ${JSON.stringify({ signed: { orgId: 'or-01m7y-8ymqy-3vekw85mbh1vyceh', requestId: id } })}\n`;
  expect(idsIn(Buffer.from(line + line))).toEqual([id]);
  expect(idsIn(Buffer.from('{"requestId":"no id of the service"}'))).toEqual([]);
});

test('a value that contains itself is not followed for ever', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(idsIn(circle)).toEqual([]);
});

test.each(['http://127.0.0.1:1/reached', 'gate/socket', ''])(
  '%p is refused as a gate: a gate is a socket of this machine',
  (path) => {
    expect(HookEnv.shape.DRILL_GATE_SOCKET.safeParse(path).success).toBe(false);
    expect(HookEnv.shape.DRILL_GATE_SOCKET.safeParse('/tmp/gate/socket').success).toBe(true);
  },
);

test('a process without a compiler, such as the signer, waits for the verdict of the gate', async () => {
  const gate = await openGate(['amendCharter:begun']);
  const client = join(ROOT, 'dist', 'drill', 'hook', 'gate-client.js');
  const reach = `require(${JSON.stringify(client)}).reachedOver(${JSON.stringify(gate.socketPath)})('amendCharter:begun', [])`;
  const running = promisify(execFile)(process.execPath, ['--jitless', '--no-expose-wasm', '-e', reach]);
  await expect(running).rejects.toThrow('The drill wants this step to fail');
  expect(gate.points()).toEqual(['amendCharter:begun']);
  await gate.close();
});
