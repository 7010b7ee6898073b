import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { openReplicaSession } from '../../../signer/record/replication/replica-session';
import { createInProcess, REPLICA_KEY } from './in-process';
import { journalIn } from './rig';

let rig: ReturnType<typeof createInProcess>;
beforeEach(() => {
  rig = createInProcess();
});
afterEach(() => rig.remove());

/** Forwards the first `bytesMax` bytes from each caller, and then ends the connection. Counts the bytes of the last caller. */
async function cuttingProxy(path: string, target: string) {
  const proxy = { bytesMax: Number.POSITIVE_INFINITY, passed: 0 };
  const server: Server = createServer((caller) => {
    const behind = createConnection(target);
    proxy.passed = 0;
    caller.on('data', (chunk: Buffer) => {
      const kept = chunk.subarray(0, Math.max(0, proxy.bytesMax - proxy.passed));
      proxy.passed += chunk.length;
      behind.write(kept);
      if (proxy.passed > proxy.bytesMax) behind.end(() => caller.destroy());
    });
    behind.on('data', (chunk) => caller.write(chunk));
    for (const [one, other] of [
      [caller, behind],
      [behind, caller],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { proxy, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** A signer's journal with one batch more than the replica, and the parts of the message that carries the batch. */
async function oneBatchBehind() {
  await rig.prepare('copy');
  const served = await rig.serve('copy');
  const first = await rig.signer('state', 'copy');
  await first.append('1');
  const [at] = served.folder.joined().ends;
  await first.close();
  const second = await rig.signer('state', 'copy');
  await second.close();
  const whole = readFileSync(join(rig.dirOf('state'), 'journal-000001.jsonl'));
  const { journalId } = served.folder.joined();
  if (!at || journalId === null) throw new Error('the replica is empty');
  return { whole, at, journalId };
}

test('a message that is cut at any byte does not change any line, and the whole message still arrives afterwards', async () => {
  const { whole, at, journalId } = await oneBatchBehind();
  await rig.prepare('torn');
  const { folder, broken } = await rig.serve('torn');
  const run = randomUUID();
  const empty = folder.joined().ends[0];
  if (!empty) throw new Error('no place');
  await folder.begin({ journalId, epoch: 1, run, at: empty });
  await folder.append(1, 0, whole.subarray(0, at.offsetBytes));
  const before = journalIn(rig.dirOf('torn'));

  const { proxy, close } = await cuttingProxy(rig.dirOf('proxy.sock'), rig.addressOf('torn').place.path);
  const exchange = async () => {
    const session = openReplicaSession({ place: { path: rig.dirOf('proxy.sock') }, authKey: REPLICA_KEY });
    try {
      await session.ask({ op: 'Begin', journalId, epoch: 1, run, at });
      await session.ask({ op: 'File', name: 'frozen', isGone: false }, Buffer.from('why'));
      await session.put({ segment: 1, offsetBytes: at.offsetBytes }, whole.subarray(at.offsetBytes));
      return 'whole';
    } catch {
      return 'cut';
    } finally {
      session.end();
    }
  };
  let bytesMax = 0;
  for (;;) {
    proxy.bytesMax = bytesMax;
    const outcome = await exchange();
    if (outcome === 'whole') break;
    if (journalIn(rig.dirOf('torn')) !== before) throw new Error(`a message cut at byte ${bytesMax} changed the journal`);
    bytesMax += 1;
  }
  expect(bytesMax).toBe(proxy.passed);
  expect(bytesMax).toBeGreaterThan(500);
  expect(journalIn(rig.dirOf('torn'))).toBe(whole.toString());
  expect(broken).toEqual([]);
  await close();
}, 120_000);

test('bytes that leave a gap, repeat a line, change a line or lack a seal are not accepted', async () => {
  const { whole, at, journalId } = await oneBatchBehind();
  await rig.prepare('other');
  const { folder } = await rig.serve('other');
  const [empty] = folder.joined().ends;
  if (!empty) throw new Error('no place');
  await folder.begin({ journalId, epoch: 1, run: randomUUID(), at: empty });
  const [head, batch] = [whole.subarray(0, at.offsetBytes), whole.subarray(at.offsetBytes)];
  await folder.append(1, 0, head);
  const refused = [
    [1, at.offsetBytes + 1, batch],
    [1, 0, head],
    [2, 0, head],
    [3, 0, batch],
    [1, at.offsetBytes, batch.subarray(0, -1)],
    [1, at.offsetBytes, batch.subarray(0, batch.indexOf('\n') + 1)],
    [1, at.offsetBytes, Buffer.from(batch.toString().replace('Replicated', 'Replacated'))],
    [1, at.offsetBytes, Buffer.concat([batch, Buffer.from('more')])],
    [1, at.offsetBytes, Buffer.alloc(0)],
  ] as const;
  for (const [segment, offsetBytes, bytes] of refused)
    await expect(folder.append(segment, offsetBytes, bytes)).rejects.toMatchObject({ reason: 'NotNext' });
  expect(journalIn(rig.dirOf('other'))).toBe(head.toString());
  await folder.append(1, at.offsetBytes, batch);
  expect(journalIn(rig.dirOf('other'))).toBe(whole.toString());
});
