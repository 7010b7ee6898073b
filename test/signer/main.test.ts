import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../local/free-port';
import type { CreatedKey, SignTransferOrder } from '../../signer/protocol';
import { keyOrder, orderFor, payloadOrderFor } from './fixtures';
import { compileSigner, installSigner } from './process';

const compiled = compileSigner();
let signer: ReturnType<typeof installSigner>;
beforeEach(() => {
  signer = installSigner(compiled.main);
});
afterEach(() => signer.remove());
afterAll(compiled.remove);

/** An order with current times, because the signer process uses the real clock. */
function fresh(created: CreatedKey, requestId: string, wanted: Parameters<typeof orderFor>[2] = {}): SignTransferOrder {
  const now = Date.now();
  const times = { issuedAt: new Date(now).toISOString(), notAfter: new Date(now + 60_000).toISOString() };
  return { ...orderFor(created, requestId, wanted), ...times };
}

test('a signer that was killed returns the same keys and signatures again, and still refuses a second payload', async () => {
  const first = await signer.start();
  const before = signer.client();
  const created = await before.createKey(keyOrder('key-1'));
  const order = fresh(created, 'xfr-1');
  const signature = await before.signTransfer(order);
  first.child.kill('SIGKILL');
  expect(await first.exited).toBe('SIGKILL');
  await before.close();
  // A crash in the middle of a write leaves half a line.
  appendFileSync(signer.path('state/journal-000001.jsonl'), `${'0'.repeat(64)} {"at":"20`);

  const second = await signer.start();
  const after = signer.client();
  expect(second.output()).toContain('a crash left the last line incomplete');
  expect(await after.createKey(keyOrder('key-1'))).toEqual(created);
  expect(await after.signTransfer(order)).toEqual(signature);
  await expect(after.signTransfer(fresh(created, 'xfr-1', { nonce: 5 }))).rejects.toMatchObject({
    details: { reason: 'RequestIdReused' },
  });
  await expect(after.signTransfer(fresh(created, 'xfr-2', { intent: { amountUnits: 1n } }))).rejects.toMatchObject({
    details: { reason: 'NonceSignedAlready' },
  });
  expect(await after.health()).toMatchObject({ journalEntries: 1, logEntries: 1 });
  await after.close();
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});

test('a signer that was killed amid many orders still has every key that it had returned', async () => {
  const first = await signer.start();
  const before = signer.client();
  const answered: CreatedKey[] = [];
  const asked = Array.from({ length: 60 }, async (_unused, index) => {
    const created = await before.createKey(keyOrder(`key-${index}`, `or-${index % 5}`));
    answered.push(created);
    if (answered.length === 20) first.child.kill('SIGKILL');
  });
  await Promise.allSettled(asked);
  await first.exited;
  await before.close();
  expect(answered.length).toBeGreaterThanOrEqual(20);

  const second = await signer.start();
  const after = signer.client();
  const again = await Promise.all(answered.map(({ sealed }) => after.createKey(keyOrder(sealed.keyId, sealed.orgId))));
  expect(again).toEqual(answered);
  await after.close();
  second.child.kill('SIGTERM');
  await second.exited;
});

test('on a full disk the signer ends, and after a restart it still has the keys that it had returned', async () => {
  const first = await signer.start(8);
  const before = signer.client();
  const answered: CreatedKey[] = [];
  let failure: unknown;
  for (let index = 0; failure === undefined && index < 100; index += 1) {
    await before.createKey(keyOrder(`key-${index}`)).then(
      (created) => answered.push(created),
      (error: unknown) => {
        failure = error;
      },
    );
  }
  expect(failure).toMatchObject({ code: 'SignerUnavailable' });
  expect(await first.exited).toBe(1);
  expect(first.output()).toContain('accepts no more writes');
  await before.close();

  const second = await signer.start();
  const after = signer.client();
  for (const created of answered) expect(await after.createKey(keyOrder(created.sealed.keyId))).toEqual(created);
  await after.close();
  second.child.kill('SIGTERM');
  await second.exited;
});

test('the signer refuses a feature that is off, and logs at its start which features are on', async () => {
  const hashed = (created: CreatedKey) => {
    const { issuedAt, notAfter } = fresh(created, 'sig-1');
    return { ...payloadOrderFor(created, 'sig-1', { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` }), issuedAt, notAfter };
  };
  const first = await signer.start();
  const before = signer.client();
  const created = await before.createKey(keyOrder('key-1'));
  expect(await before.switches()).toEqual({ on: [] });
  expect(await before.resources()).toMatchObject({ stateFreeBytes: expect.any(Number), certificate: null });
  expect(first.output()).not.toContain('SIGNER_HASH');
  const refused = { code: 'SignerRefused', details: { reason: 'HashSwitchedOff', nothingSigned: true } };
  await expect(before.signPayload(hashed(created))).rejects.toMatchObject(refused);
  await before.close();
  first.child.kill('SIGTERM');
  await first.exited;

  const second = await signer.start(undefined, { SIGNER_HASH: 'true' });
  const after = signer.client();
  expect(await after.switches()).toEqual({ on: ['Hash'] });
  expect(second.output()).toContain('SIGNER_HASH is on');
  expect((await after.signPayload(hashed(created))).signatures).toHaveLength(1);
  await after.close();
});

test('the signal that usually opens the debugger does not open it', async () => {
  // Another program on the machine may have its debugger on the usual port.
  const port = await freePort();
  const { child, exited, output } = await signer.start(undefined, { NODE_OPTIONS: `--inspect-port=${port}` });
  child.kill('SIGUSR1');
  const client = signer.client();
  await client.health();
  const reached = await new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  expect(reached).toBe(false);
  expect(output()).not.toContain('Debugger listening');
  await client.close();
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});

test('a second signer on the same state folder is refused, and the first keeps running', async () => {
  const first = await signer.start();
  const second = signer.run({ SIGNER_SOCKET: signer.path('run/other.sock') });
  expect(await second.exited).toBe(1);
  expect(second.output()).toMatch(/does not start: another signer \(process \d+\) uses this state folder/);
  const client = signer.client();
  await expect(client.health()).resolves.toBeDefined();
  await client.close();
  first.child.kill('SIGTERM');
  await first.exited;
});

test('only the owner may open folders and files, and only the owner and the group may open the socket', async () => {
  const { child, exited } = await signer.start();
  const mode = (name: string) => (statSync(signer.path(name)).mode & 0o777).toString(8);
  expect([mode('run'), mode('state'), mode('run/signer.sock')]).toEqual(['700', '700', '660']);
  const folders = readdirSync(signer.path('state')).filter((name) => /^(epochs|index-.*)$/.test(name));
  expect(folders).toHaveLength(2);
  for (const name of readdirSync(signer.path('state')))
    expect(mode(`state/${name}`)).toBe(folders.includes(name) ? '700' : '600');
  for (const folder of folders)
    for (const name of readdirSync(signer.path(`state/${folder}`))) expect(mode(`state/${folder}/${name}`)).toBe('600');
  child.kill('SIGTERM');
  await exited;
});

test('if the signer cannot start, it states the reason in one sentence', async () => {
  const without = signer.run({ SIGNER_KEK_FILE: signer.path('nowhere') });
  expect(await without.exited).toBe(1);
  expect(without.output()).toMatch(/^The signer does not start: The configuration is not usable:\n {2}SIGNER_KEK_FILE: .*\n$/);

  mkdirSync(signer.path('state'), { mode: 0o700 });
  appendFileSync(signer.path('state/signatures.jsonl'), 'altered\n');
  const altered = signer.run();
  expect(await altered.exited).toBe(1);
  expect(altered.output()).toMatch(/^The signer does not start: .*signatures\.jsonl was altered or damaged at line 1\n$/);

  mkdirSync(signer.path('wide'));
  chmodSync(signer.path('wide'), 0o755);
  const wide = signer.run({ SIGNER_STATE_DIR: signer.path('wide') });
  expect(await wide.exited).toBe(1);
  expect(wide.output()).toMatch(/^The signer does not start: .*wide has mode 0755; it must be 0700\n$/);
});

test('neither the log nor the state folder contains a secret or the bytes of an order', async () => {
  const { child, exited, output } = await signer.start();
  const client = signer.client();
  const created = await client.createKey(keyOrder('key-1'));
  const order = fresh(created, 'xfr-1');
  await client.signTransfer(order);
  await client.signTransfer({ ...order, nonce: 9 }).catch(() => undefined);
  await client.close();
  child.kill('SIGTERM');
  await exited;
  const state = readdirSync(signer.path('state'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  for (const text of [output(), ...state]) {
    expect(text).not.toContain('ab'.repeat(32));
    expect(text).not.toContain('cd'.repeat(32));
    expect(text).not.toContain(order.bytesHex.slice(2));
  }
});
