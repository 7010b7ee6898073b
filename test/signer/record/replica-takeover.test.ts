import { rmSync } from 'node:fs';
import { createSignerClient } from '../../../signer/client';
import type { CreatedKey, SignTransferOrder } from '../../../signer/protocol';
import { keyOrder, orderFor } from '../fixtures';
import { compileSigner, installSigner } from '../process';

const compiled = compileSigner();
let signer: ReturnType<typeof installSigner>;
beforeEach(() => {
  signer = installSigner(compiled.main);
});
afterEach(() => signer.remove());
afterAll(compiled.remove);

function fresh(created: CreatedKey, requestId: string, wanted: Parameters<typeof orderFor>[2] = {}): SignTransferOrder {
  const now = Date.now();
  const times = { issuedAt: new Date(now).toISOString(), notAfter: new Date(now + 60_000).toISOString() };
  return { ...orderFor(created, requestId, wanted), ...times };
}

test('a signer on the replica of a lost state folder signs nothing twice, and the earlier signer ends when it wakes up', async () => {
  const both = { SIGNER_REPLICA_DIR: signer.path('replica') };
  const first = await signer.start(undefined, both);
  const before = signer.client();
  const created = await before.createKey(keyOrder('key-1'));
  const order = fresh(created, 'xfr-1');
  const signature = await before.signTransfer(order);

  first.child.kill('SIGSTOP');
  const late = before.signTransfer(fresh(created, 'xfr-late', { nonce: 9 })).catch((error: { code: string }) => error.code);
  const promoted = {
    SIGNER_SOCKET: signer.path('run/second.sock'),
    SIGNER_STATE_DIR: signer.path('replica'),
    SIGNER_ALONE: 'true',
  };
  const second = await signer.start(undefined, promoted);
  const after = createSignerClient({
    socketPath: promoted.SIGNER_SOCKET,
    authKey: Buffer.alloc(32, 0xcd),
    timeoutMs: 10_000,
  });
  expect(await after.signTransfer(order)).toEqual(signature);
  await after.signTransfer(fresh(created, 'xfr-2', { nonce: 9, intent: { amountUnits: 5n } }));

  first.child.kill('SIGCONT');
  expect([await first.exited, await late]).toEqual([1, 'SignerUnavailable']);
  await Promise.all([before.close(), after.close()]);
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);

  // The lost folder is empty on its new medium, and comes back from the replica.
  rmSync(signer.path('state'), { recursive: true });
  const third = await signer.start(undefined, both);
  const client = signer.client();
  expect(await client.health()).toMatchObject({ logEntries: 2, journalEntries: 1 });
  expect(await client.signTransfer(order)).toEqual(signature);
  await client.close();
  third.child.kill('SIGTERM');
  await third.exited;
});

test('a signer whose replica is no longer configured goes on only if the operator says so', async () => {
  const first = await signer.start(undefined, { SIGNER_REPLICA_DIR: signer.path('replica') });
  first.child.kill('SIGTERM');
  await first.exited;
  const refused = signer.run();
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toMatch(/does not start: the journal had a replica, and SIGNER_REPLICA_DIR is not set/);
  const alone = await signer.start(undefined, { SIGNER_ALONE: 'true' });
  alone.child.kill('SIGTERM');
  await alone.exited;
  const again = await signer.start();
  again.child.kill('SIGTERM');
  await again.exited;
});

test('the replica may not be the state folder itself, nor in use by another signer', async () => {
  const itself = signer.run({ SIGNER_REPLICA_DIR: signer.path('state') });
  expect(await itself.exited).toBe(1);
  expect(itself.output()).toMatch(/does not start: SIGNER_REPLICA_DIR is the state folder itself\n$/);
  const elsewhere = await signer.start(undefined, { SIGNER_STATE_DIR: signer.path('replica') });
  const ours = signer.run({ SIGNER_SOCKET: signer.path('run/other.sock'), SIGNER_REPLICA_DIR: signer.path('replica') });
  expect(await ours.exited).toBe(1);
  expect(ours.output()).toMatch(/another signer \(process \d+\) uses this state folder: .*replica/);
  elsewhere.child.kill('SIGTERM');
  await elsewhere.exited;
});
