import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../local/free-port';
import { createAuthority } from '../../support/certificates';
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
const smallFiles = (dir: string) =>
  ['journal-key.json', 'share-keys.json'].map((name) => readFileSync(join(rig.dirOf(dir), name), 'utf8'));

test('a suspended replica is reported as away, and the waiting order gets its reply when the replica resumes', async () => {
  const replica = await rig.newReplica('copy');
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    const created = await client.createKey(keyOrder('key-1'));
    replica.child.kill('SIGSTOP');
    const order = freshOrder(created, 'xfr-1');
    await expect(client.signTransfer(order)).rejects.toMatchObject(AWAY);
    replica.child.kill('SIGCONT');
    await waitUntil('the signature', () => client.signTransfer(order).catch(() => undefined));
    expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
  });
}, 60_000);

test('if only the replica has a batch after a loss of power, the signer copies the batch, and a repeated order gets the same signature', async () => {
  await rig.newReplica('copy');
  const first = await rig.start(undefined, rig.toReplica('copy'));
  const [created, order, signature] = await rig.clientOn('state', async (client) => {
    const key = await client.createKey(keyOrder('key-1'));
    const asked = freshOrder(key, 'xfr-1');
    return [key, asked, await client.signTransfer(asked)] as const;
  });
  await killed(first);
  const path = join(rig.dirOf('state'), 'journal-000001.jsonl');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, text.lastIndexOf('\n', text.indexOf('"xfr-1"')) + 100));
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    const rival = client.signTransfer(freshOrder(created, 'xfr-2', { intent: { amountUnits: 1n } }));
    await expect(rival).rejects.toMatchObject({ details: { reason: 'NonceSignedAlready' } });
    expect(await client.signTransfer(order)).toEqual(signature);
  });
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
}, 60_000);

test('a replica that is killed repeatedly under load does not lose a reply, and has the whole journal in the end', async () => {
  let replica = await rig.newReplica('copy');
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    const created = await client.createKey(keyOrder('key-1'));
    let isDone = false;
    let signed = 0;
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      for (let at = 0; !isDone; at += 1) {
        const order = freshOrder(created, `xfr-${lane}-${at}`, { nonce: lane * 10_000 + at });
        await waitUntil('the signature', () => client.signTransfer(order).catch(() => undefined));
        signed += 1;
      }
    });
    for (let round = 0; round < 4; round += 1) {
      const before = signed;
      await waitUntil('signatures', () => signed > before + 10);
      await killed(replica);
      replica = await rig.replica('copy').start();
    }
    isDone = true;
    await Promise.all(lanes);
    expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
  });
}, 120_000);

test('a replica on a full disk ends without an acknowledgement, and continues once there is room', async () => {
  await rig.replica('copy').prepare();
  const full = await rig.replica('copy').start(8);
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    let answered = 0;
    for (let at = 0; at < 40; at += 1) {
      const outcome = await client.createKey(keyOrder(`key-${at}`)).catch((error: unknown) => error);
      if (outcome instanceof Error) break;
      answered += 1;
    }
    expect(await full.exited).toBe(1);
    expect(full.output()).toContain('accepts no more writes');
    const copy = journalIn(rig.dirOf('copy'));
    for (let at = 0; at < answered; at += 1) expect(copy).toContain(`"keyId":"key-${at}"`);

    await rig.replica('copy').start();
    await waitUntil('the key', () => client.createKey(keyOrder(`key-${answered}`)).catch(() => undefined));
    expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
  });
}, 60_000);

test('a rotation of the key-encryption key gets its reply only after the replica has the files under the new key', async () => {
  const replica = await rig.newReplica('copy');
  const first = await rig.start(undefined, rig.toReplica('copy'));
  await killed(first, 'SIGTERM');
  await killed(replica, 'SIGTERM');
  const before = smallFiles('copy');
  writeFileSync(rig.path('kek-2'), `${'12'.repeat(32)}\n`, { mode: 0o400 });
  const rotated = {
    ...rig.toReplica('copy'),
    SIGNER_KEK_FILE: rig.path('kek-2'),
    SIGNER_KEK_OLD_SOURCES: `file:${rig.path('kek')}`,
  };
  const waiting = rig.run(rotated);
  await waitUntil('the lease of the waiting signer', () => readdirSync(join(rig.dirOf('state'), 'epochs')).length > 1);
  expect(smallFiles('copy')).toEqual(before);
  expect(waiting.output()).not.toContain('signer ready');
  await rig.replica('copy').start();
  await waitUntil('the signer', () => waiting.output().includes('signer ready'), 40_000);
  expect(smallFiles('copy')).toEqual(smallFiles('state'));
  expect(smallFiles('copy')).not.toEqual(before);
}, 60_000);

test('over TLS the signer connects only to the replica whose certificate has the configured name', async () => {
  const authority = createAuthority();
  authority.issue(rig.path('replica-tls'), { names: ['replica.test'], purpose: 'server' });
  authority.issue(rig.path('signer-tls'), { names: ['signer.test'] });
  const address = `tls://127.0.0.1:${await freePort()}`;
  const replica = rig.replica('copy', {
    ...{ SIGNER_SOCKET: '', SIGNER_LISTEN: address },
    ...{ SIGNER_TLS_DIR: rig.path('replica-tls'), SIGNER_TLS_NAMES: 'signer.test' },
  });
  await replica.prepare();
  await replica.start();
  const overTls = { ...rig.toReplica('copy'), SIGNER_REPLICA: address, SIGNER_TLS_DIR: rig.path('signer-tls') };
  const without = rig.run(overTls);
  expect(await without.exited).toBe(1);
  expect(without.output()).toContain('SIGNER_REPLICA_NAMES');
  const signer = await rig.start(undefined, { ...overTls, SIGNER_REPLICA_NAMES: 'replica.test' });
  await rig.clientOn('state', (client) => client.createKey(keyOrder('key-1')));
  expect(journalIn(rig.dirOf('copy'))).toContain('key-1');
  await killed(signer, 'SIGTERM');
  const other = rig.run({ ...overTls, SIGNER_REPLICA_NAMES: 'other.test' });
  await waitUntil('the refusal', () => other.child.exitCode !== null, 60_000);
  expect(other.output()).toContain('the replica does not answer');
}, 90_000);

test('a freeze and its release by the operator reach the replica', async () => {
  await rig.newReplica('copy');
  await rig.start(undefined, rig.toReplica('copy'));
  const [own, copy] = [join(rig.dirOf('state'), 'frozen'), join(rig.dirOf('copy'), 'frozen')];
  writeFileSync(own, 'restored\n');
  await waitUntil('the freeze', () => existsSync(copy) && readFileSync(copy, 'utf8') === 'restored\n');
  rmSync(own);
  await waitUntil('the release', () => !existsSync(copy));
});
