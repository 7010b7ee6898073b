import { readFileSync } from 'node:fs';
import { createSignerClient } from '../../../signer/client';
import type { CreatedKey, SignTransferOrder } from '../../../signer/protocol';
import { waitUntil } from '../../support/wait-until';
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

test('a suspended signer that resumes after a takeover does not serve orders, does not write to the log, and ends', async () => {
  const first = await signer.start();
  const before = signer.client();
  const created = await before.createKey(keyOrder('key-1'));
  const order = fresh(created, 'xfr-1');
  const signature = await before.signTransfer(order);

  first.child.kill('SIGSTOP');
  // This order waits in the socket of the suspended signer, which reads the order when it resumes.
  const late = before.signTransfer(fresh(created, 'xfr-late', { nonce: 9 }));
  const lateOutcome = late.then(
    () => 'signed',
    (error: { code: string }) => error.code,
  );
  const other = { SIGNER_SOCKET: signer.path('run/second.sock') };
  const second = await signer.start(undefined, other);
  expect(second.output()).toContain('shows no sign of life');
  const after = createSignerClient({
    socketPath: other.SIGNER_SOCKET,
    authKey: Buffer.alloc(32, 0xcd),
    timeoutMs: 10_000,
  });
  expect(await after.signTransfer(order)).toEqual(signature);
  // The successor signs another payment with the nonce, so the suspended signer must never sign its order.
  await after.signTransfer(fresh(created, 'xfr-2', { nonce: 9, intent: { amountUnits: 5n } }));

  first.child.kill('SIGCONT');
  expect(await first.exited).toBe(1);
  expect(await lateOutcome).toBe('SignerUnavailable');
  const segment = (number: number) => readFileSync(signer.path(`state/journal-00000${number}.jsonl`), 'utf8');
  expect(segment(2)).toContain('xfr-2');
  expect(segment(1) + segment(2)).not.toContain('xfr-late');
  await before.close();
  await after.close();
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);

  const third = await signer.start();
  const client = signer.client();
  expect(await client.health()).toMatchObject({ logEntries: 2 });
  await client.close();
  third.child.kill('SIGTERM');
  await third.exited;
});

test('a standby takes over from a signer that ends', async () => {
  const first = await signer.start();
  const standby = signer.run({ SIGNER_STANDBY: 'true', SIGNER_SOCKET: signer.path('run/second.sock') });
  await waitUntil('the first signer to be ready', async () => {
    const client = signer.client();
    const health = await client.health();
    await client.close();
    return health.journalEntries === 0;
  });
  expect(standby.output()).not.toContain('signer ready');
  first.child.kill('SIGTERM');
  await first.exited;
  await waitUntil('the standby', () => standby.output().includes('signer ready'), 20_000);
  standby.child.kill('SIGTERM');
  expect(await standby.exited).toBe(0);
});
