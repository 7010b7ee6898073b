import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileKek } from '../../../signer/keys/kek';
import type { CreatedKey } from '../../../signer/protocol';
import { readSignatures } from '../../../signer/record/read-signatures';
import { verifyFolder } from '../../../signer/record/verification/verify-folder';
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

test('the whole folder of a replica can be checked and compared like that of a signer', async () => {
  const replica = await rig.newReplica('copy');
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.clientOn('state', async (client) => {
    await client.signTransfer(freshOrder(await client.createKey(keyOrder('key-1')), 'xfr-1'));
  });
  await killed(replica);
  const kek = createFileKek(Buffer.alloc(32, 0xab));
  const report = await verifyFolder({ stateDir: rig.dirOf('copy'), kek, operatorKey: undefined, workDir: rig.path('.') });
  expect(report).toMatchObject({ faults: [], unsealedBytes: 0, index: { kind: 'Absent' } });
  expect(report.tally.kinds.get('Signed')).toBe(1);
  const ids: string[] = [];
  await readSignatures(rig.dirOf('copy'), ({ requestId }) => ids.push(requestId));
  expect(ids).toEqual(['xfr-1']);
});

/** Signs transfers with rising nonces until the signer has ended. Returns the nonces and the signatures that were returned. */
async function signUntilGone(dir: string, created: CreatedKey, from: number): Promise<Map<number, unknown>> {
  const answered = new Map<number, unknown>();
  await rig.clientOn(dir, async (client) => {
    let [next, isGone] = [from, false];
    const lane = async () => {
      while (!isGone) {
        const nonce = next++;
        await client.signTransfer(freshOrder(created, `xfr-${nonce}`, { nonce })).then(
          (signature) => answered.set(nonce, signature),
          () => {
            isGone = true;
          },
        );
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
  });
  return answered;
}

test('a signer that is killed repeatedly under load leaves every reply on the replica, which then signs no nonce a second time', async () => {
  const replica = await rig.newReplica('copy');
  let signer = await rig.start(undefined, rig.toReplica('copy'));
  const created = await rig.clientOn('state', (client) => client.createKey(keyOrder('key-1')));
  const answered = new Map<number, unknown>();
  for (let round = 0; round < 5; round += 1) {
    const answering = signUntilGone('state', created, round * 1_000);
    const lines = journalIn(rig.dirOf('state')).length;
    await waitUntil('answers', () => journalIn(rig.dirOf('state')).length > lines + 5_000 + round * 1_700);
    expect(await killed(signer)).toBe('SIGKILL');
    for (const [nonce, signature] of await answering) answered.set(nonce, signature);
    if (round < 4) signer = await rig.start(undefined, rig.toReplica('copy'));
  }
  rmSync(rig.dirOf('state'), { recursive: true });
  await killed(replica);

  await rig.newReplica('next');
  await rig.start(undefined, { ...rig.on('copy'), ...rig.toReplica('next') });
  expect(answered.size).toBeGreaterThan(20);
  await rig.clientOn('copy', async (client) => {
    for (const [nonce, signature] of answered) {
      // The rival comes first, because repeating the request would not reveal a lost claim: the signature would be the same.
      const rival = client.signTransfer(freshOrder(created, `rival-${nonce}`, { nonce, intent: { amountUnits: 1n } }));
      await expect(rival).rejects.toMatchObject({ details: { reason: 'NonceSignedAlready' } });
      expect(await client.signTransfer(freshOrder(created, `xfr-${nonce}`, { nonce }))).toEqual(signature);
    }
  });
  expect(journalIn(rig.dirOf('next'))).toBe(journalIn(rig.dirOf('copy')));
}, 120_000);

test('a signer whose replica was promoted serves no more orders, and its folder rejoins as a replica without its last lines', async () => {
  const replica = await rig.newReplica('copy');
  const old = await rig.start(undefined, rig.toReplica('copy'));
  const created = await rig.clientOn('state', (client) => client.createKey(keyOrder('key-1')));
  await killed(replica);
  const refusedOrder = (requestId: string, nonce: number) =>
    rig.clientOn('state', (client) =>
      expect(client.signTransfer(freshOrder(created, requestId, { nonce }))).rejects.toMatchObject({
        code: 'SignerUnavailable',
        details: { reason: 'ReplicaAway' },
      }),
    );
  // Before the signer refuses every order, it still writes the first order, which then waits for the replica.
  await refusedOrder('xfr-old', 7);
  await rig.newReplica('next');
  const promoted = await rig.start(undefined, { ...rig.on('copy'), ...rig.toReplica('next') });
  await refusedOrder('xfr-late', 8);
  await rig.clientOn('copy', (client) => client.signTransfer(freshOrder(created, 'xfr-new', { nonce: 7 })));
  expect(await killed(promoted, 'SIGTERM')).toBe(0);
  await killed(old);
  expect(journalIn(rig.dirOf('state'))).toContain('xfr-old');

  const asReplica = rig.replica('state');
  const refused = asReplica.run();
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain('only with --rejoin');
  await asReplica.prepare('--rejoin');
  await asReplica.start();
  await rig.start(undefined, { ...rig.on('copy'), ...rig.toReplica('state') });
  await rig.clientOn('copy', (client) => client.signTransfer(freshOrder(created, 'xfr-after', { nonce: 9 })));
  expect(journalIn(rig.dirOf('state'))).toBe(journalIn(rig.dirOf('copy')));
  const dropped = readdirSync(rig.dirOf('state')).filter((name) => name.startsWith('dropped-'));
  expect(dropped.map((name) => readFileSync(join(rig.dirOf('state'), name), 'utf8')).join('')).toContain('xfr-old');
}, 60_000);

test('a copy of the replica’s folder can replace a lost state folder; the replica stays in use, and an earlier signer ends', async () => {
  const replica = await rig.newReplica('copy');
  const old = await rig.start(undefined, rig.toReplica('copy'));
  const created = await rig.clientOn('state', (client) => client.createKey(keyOrder('key-1')));
  await killed(replica, 'SIGTERM');
  rig.copy('copy', 'again');
  await rig.replica('copy').start();
  await rig.start(undefined, { ...rig.on('again'), ...rig.toReplica('copy') });
  await rig.clientOn('again', (client) => client.signTransfer(freshOrder(created, 'xfr-1')));
  expect(await old.exited).toBe(1);
  expect(old.output()).toContain('belongs to another signer now');
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('again')));
}, 60_000);

test('a signer started on the folder of a replica that still runs is refused, and the replica continues', async () => {
  await rig.newReplica('copy');
  await rig.start(undefined, rig.toReplica('copy'));
  await rig.newReplica('next');
  const refused = rig.run({ ...rig.on('copy'), ...rig.toReplica('next') });
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain('uses this state folder');
  await rig.clientOn('state', (client) => client.createKey(keyOrder('key-1')));
  expect(journalIn(rig.dirOf('copy'))).toContain('key-1');
});

test('the statement that lets a signer run without a replica is valid for one line of the journal, if the operator signed it', async () => {
  const replica = await rig.newReplica('copy');
  const first = await rig.start(undefined, rig.toReplica('copy'));
  await killed(first, 'SIGTERM');
  await killed(replica, 'SIGTERM');
  const startsAlone = async (env: Record<string, string>) => {
    const run = rig.run(env);
    await waitUntil('an outcome', () => /signer ready|does not start/.test(run.output()));
    const isReady = run.output().includes('signer ready');
    await killed(run, 'SIGTERM');
    return isReady;
  };
  await rig.signAlone('state');
  const statement = readFileSync(join(rig.dirOf('state'), 'alone.json'));
  const place = () => writeFileSync(join(rig.dirOf('state'), 'alone.json'), statement);
  expect(await startsAlone({})).toBe(false);
  expect(await startsAlone({ SIGNER_OPERATOR_KEY: rig.otherKeyHex })).toBe(false);
  expect(await startsAlone(rig.operator)).toBe(true);
  expect(await startsAlone(rig.operator)).toBe(true);
  await rig.replica('copy').start();
  const again = await rig.start(undefined, rig.toReplica('copy'));
  await killed(again, 'SIGTERM');
  place();
  expect(await startsAlone(rig.operator)).toBe(false);
}, 60_000);
