import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until';
import { keyOrder } from '../fixtures';
import { compileSigner } from '../process';
import { freshOrder, installReplicated, journalIn, killed } from './rig';

const compiled = compileSigner();
let rig: ReturnType<typeof installReplicated>;
beforeEach(() => {
  rig = installReplicated(compiled.main);
});
afterEach(() => rig.remove());
afterAll(compiled.remove);

const AWAY = { code: 'SignerUnavailable', details: { reason: 'ReplicaAway' } };
const _smallFiles = (dir: string) =>
  ['journal-key.json', 'share-keys.json'].map((name) => readFileSync(join(rig.dirOf(dir), name), 'utf8'));

test('orders are refused while the replica is away, and get the same signature when it is back', async () => {
  const replica = await rig.newReplica('copy');
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    const created = await client.createKey(keyOrder('key-1'));
    await killed(replica);
    // The first order is already in the journal when the signer detects that the replica is away. The second order begins later.
    const order = freshOrder(created, 'xfr-1');
    await expect(client.signTransfer(order)).rejects.toMatchObject(AWAY);
    await expect(client.signTransfer(freshOrder(created, 'xfr-2', { nonce: 5 }))).rejects.toMatchObject(AWAY);
    expect(await client.replica()).toEqual({ replica: 'Away' });
    expect(journalIn(rig.dirOf('state'))).toContain('xfr-1');
    expect(journalIn(rig.dirOf('state'))).not.toContain('xfr-2');
    expect(journalIn(rig.dirOf('copy'))).not.toContain('xfr-1');

    await rig.replica('copy').start();
    const signature = await waitUntil('the signature', () => client.signTransfer(order).catch(() => undefined));
    expect(await client.signTransfer(order)).toEqual(signature);
    await client.signTransfer(freshOrder(created, 'xfr-2', { nonce: 5 }));
    expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
    expect(await client.replica()).toEqual({ replica: 'Here' });
    expect(journalIn(rig.dirOf('copy')).match(/"requestId":"xfr-1"/g)).toHaveLength(1);
  });
}, 60_000);

test('a batch that the signer wrote and the replica did not acknowledge reaches the replica at the next start, with the same signature', async () => {
  const replica = await rig.newReplica('copy');
  const first = await rig.start(undefined, rig.toReplica('copy'));
  const order = await rig.clientOn('state', async (client) => {
    const created = await client.createKey(keyOrder('key-1'));
    replica.child.kill('SIGSTOP');
    const asked = freshOrder(created, 'xfr-1');
    const answer = client.signTransfer(asked).catch(() => 'no answer');
    await waitUntil('the line', () => journalIn(rig.dirOf('state')).includes('xfr-1'));
    await killed(first);
    expect(await answer).toBe('no answer');
    return asked;
  });
  await killed(replica);
  expect(journalIn(rig.dirOf('copy'))).not.toContain('xfr-1');
  await rig.replica('copy').start();
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    await client.signTransfer(order);
    expect((await client.health()).logEntries).toBe(1);
  });
  expect(journalIn(rig.dirOf('copy')).match(/"requestId":"xfr-1"/g)).toHaveLength(1);
}, 60_000);
