import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalLineOf, sealedText } from '../../../signer/record/journal/chained-lines';
import { lastSealIn } from '../../../signer/record/replication/alone';
import { openReplicaSession } from '../../../signer/record/replication/replica-session';
import { waitUntil } from '../../support/wait-until';
import { createInProcess, FREE, withdrawn } from './in-process';
import { journalIn } from './rig';

let rig: ReturnType<typeof createInProcess>;
beforeEach(() => {
  rig = createInProcess();
});
afterEach(() => rig.remove());

const segmentIn = (name: string, number = 1) => join(rig.dirOf(name), `journal-00000${number}.jsonl`);
const startError = (text: RegExp) => expect.objectContaining({ name: 'StartError', message: expect.stringMatching(text) });

/** Runs a signer that appends these entries, each in a separate batch, and stops. */
async function runSigner(dir: string, replica: string, ...ids: readonly string[]) {
  const { append, close } = await rig.signer(dir, replica);
  for (const id of ids) await append(id);
  await close();
}

async function replicaWith(...ids: readonly string[]) {
  await rig.prepare('copy');
  const served = await rig.serve('copy');
  await runSigner('state', 'copy', ...ids);
  return served;
}

test('a new replica gets the whole journal, and a replica that was away gets the rest', async () => {
  const served = await replicaWith('1', '2');
  await served.close();
  cpSync(rig.dirOf('copy'), rig.dirOf('older'), { recursive: true });
  await rig.serve('copy');
  await runSigner('state', 'copy', '3', '4');
  await rig.serve('older');
  await runSigner('state', 'older', '5');
  expect(journalIn(rig.dirOf('older'))).toBe(journalIn(rig.dirOf('state')));
});

test('a batch that is longer than a message arrives whole', async () => {
  await replicaWith('1', 'x'.repeat(1_300_000), 'y'.repeat(600_000));
  await rig.prepare('other');
  await rig.serve('other');
  await runSigner('state', 'other');
  expect(journalIn(rig.dirOf('other'))).toBe(journalIn(rig.dirOf('state')));
});

test('if connections end again and again during writes, no batch is lost and none is repeated', async () => {
  await rig.prepare('copy');
  let served = await rig.serve('copy');
  const { append, lost } = await rig.signer('state', 'copy');
  let isDone = false;
  const lanes = Array.from({ length: 3 }, async (_unused, lane) => {
    for (let at = 0; !isDone; at += 1) await append(`${lane}-${at}`);
  });
  for (let round = 0; round < 15; round += 1) {
    const lines = journalIn(rig.dirOf('copy')).length;
    await waitUntil('a batch', () => journalIn(rig.dirOf('copy')).length > lines + round * 20);
    await served.close();
    served = await rig.serve('copy');
  }
  isDone = true;
  await Promise.all(lanes);
  expect([lost, served.broken]).toEqual([[], []]);
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
  await served.close();
  await rig.serve('copy');
}, 60_000);

test('a batch that a new connection has already sent from the file is not sent again', async () => {
  await rig.prepare('copy');
  const served = await rig.serve('copy');
  const { journal, link, lost, close } = await rig.signer('state', 'copy');
  const from = await lastSealIn(rig.dirOf('state'));
  if (!from || !link) throw new Error('no replica');
  const { text, last } = sealedText(journal.sealKey, [journalLineOf(withdrawn('x'))], from.last);
  // The batch is in the file, and the writer has not called `put` yet when the connection opens again.
  appendFileSync(segmentIn('state'), text);
  await served.close();
  await rig.serve('copy');
  await waitUntil('the batch', () => journalIn(rig.dirOf('copy')).includes('"x"'));
  await link.put(text, { ...from, last, offsetBytes: from.offsetBytes + Buffer.byteLength(text) });
  expect(lost).toEqual([]);
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
  await close();
});

test('segments after a takeover reach the replica, without the late lines of the earlier holder', async () => {
  await replicaWith('1');
  const { append, close } = await rig.signer('state', 'copy', { fence: { mustCopy: true, assertHeld: () => undefined } });
  await append('2');
  await close();
  expect(readFileSync(segmentIn('copy', 2))).toEqual(readFileSync(segmentIn('state', 2)));
  appendFileSync(segmentIn('state'), readFileSync(segmentIn('state')).subarray(-500));
  await rig.prepare('other');
  await rig.serve('other');
  await runSigner('state', 'other', '3');
  expect(readFileSync(segmentIn('other'))).toEqual(readFileSync(segmentIn('copy')));
  expect(readFileSync(segmentIn('other', 2))).toEqual(readFileSync(segmentIn('state', 2)));
});

test('the signer copies one batch that only the replica has, and does not start if the replica has more such batches', async () => {
  await replicaWith('1', '2', '3');
  const whole = readFileSync(segmentIn('state'));
  const [third, second] = [whole.lastIndexOf('"3"'), whole.lastIndexOf('"2"')].map((at) => whole.lastIndexOf('\n', at) + 1);
  truncateSync(segmentIn('state'), second);
  const before = journalIn(rig.dirOf('state'));
  await expect(rig.signer('state', 'copy')).rejects.toEqual(startError(/older copy, or its medium lost lines/));
  expect(journalIn(rig.dirOf('state'))).toBe(before);
  writeFileSync(segmentIn('state'), whole.subarray(0, third));
  await runSigner('state', 'copy');
  expect(journalIn(rig.dirOf('state'))).toContain('"3"');
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
});

test('an older copy that lacks only the latest start is refused', async () => {
  await replicaWith('1');
  cpSync(rig.dirOf('state'), rig.dirOf('clone'), { recursive: true });
  await runSigner('state', 'copy');
  await expect(rig.signer('clone', 'copy')).rejects.toEqual(startError(/older copy/));
});

test('a folder that lost its journal is refused before a file is made', async () => {
  await replicaWith('1');
  await expect(rig.signer('lost', 'copy')).rejects.toEqual(startError(/the folder was lost or is not mounted/));
  expect(() => readFileSync(join(rig.dirOf('lost'), 'journal-key.json'))).toThrow('ENOENT');
});

test('a forked journal and the journal of another signer are refused', async () => {
  await replicaWith('1', '2');
  cpSync(rig.dirOf('state'), rig.dirOf('fork'), { recursive: true });
  await rig.prepare('apart');
  await rig.serve('apart');
  await runSigner('fork', 'apart', 'on the fork');
  await runSigner('state', 'copy', '3');
  await expect(rig.signer('fork', 'copy')).rejects.toEqual(startError(/contradict each other|older copy/));
  await rig.prepare('foreign');
  await rig.serve('foreign');
  await runSigner('stranger', 'foreign', '1');
  await expect(rig.signer('state', 'foreign')).rejects.toEqual(startError(/of another signer/));
});

test('a caller with a wrong key does not get a reply', async () => {
  await replicaWith('1');
  await expect(rig.signer('state', 'copy', { authKey: Buffer.alloc(32, 1) })).rejects.toEqual(
    startError(/does not answer: .*ended the connection/),
  );
});

test('once a later epoch has begun, the replica accepts no lines from the earlier signer, which ends', async () => {
  const served = await replicaWith('1');
  const early = await rig.signer('state', 'copy');
  cpSync(rig.dirOf('state'), rig.dirOf('clone'), { recursive: true });
  const late = await rig.signer('clone', 'copy');
  await late.append('late');
  void early.append('early').catch(() => undefined);
  await waitUntil('the end of the earlier signer', () => early.lost.length === 1);
  expect(journalIn(rig.dirOf('copy'))).not.toContain('"early"');
  expect(served.broken).toEqual([]);

  const { epoch, ends, journalId } = served.folder.joined();
  const [at] = ends;
  if (!at || journalId === null) throw new Error('the replica is empty');
  for (const older of [epoch, epoch - 1]) {
    const session = openReplicaSession(rig.addressOf('copy'));
    const begin = session.ask({ op: 'Begin', journalId, epoch: older, run: randomUUID(), at });
    await expect(begin).rejects.toMatchObject({ reason: 'OlderEpoch' });
    const put = openReplicaSession(rig.addressOf('copy'));
    const { segment, offsetBytes } = at;
    await expect(put.put({ segment, offsetBytes }, Buffer.from('x\n'))).rejects.toMatchObject({ reason: 'OlderEpoch' });
    session.end();
    put.end();
  }
  await late.append('later');
  expect(journalIn(rig.dirOf('copy'))).toContain('"later"');
});

test('a folder that rejoins drops no line for a signer of an older epoch', async () => {
  await replicaWith('1');
  cpSync(rig.dirOf('state'), rig.dirOf('old'), { recursive: true });
  await runSigner('state', 'copy', '2');
  cpSync(rig.dirOf('state'), rig.dirOf('new'), { recursive: true });
  await rig.prepare('new', true);
  await rig.serve('new');
  await expect(rig.signer('old', 'new')).rejects.toEqual(startError(/OlderEpoch/));
  expect(journalIn(rig.dirOf('new'))).toContain('"2"');
});

test('the epoch outlives a restart of the replica', async () => {
  const served = await replicaWith('1');
  const { epoch } = served.folder.joined();
  await served.close();
  expect(epoch).toBe(1);
  expect((await rig.serve('copy')).folder.epoch).toBe(1);
});

test('a replica starts only on a prepared folder, and not if a line was altered', async () => {
  await expect(rig.serve('nothing')).rejects.toEqual(startError(/holds no replica/));
  const served = await replicaWith('1', '2');
  await served.close();
  const text = readFileSync(segmentIn('copy'), 'utf8');
  writeFileSync(segmentIn('copy'), text.replace('"requestId":"1"', '"requestId":"7"'));
  await expect(rig.serve('copy')).rejects.toEqual(startError(/altered or damaged at line/));
  rmSync(join(rig.dirOf('copy'), 'replica.json'));
  await expect(rig.serve('copy')).rejects.toEqual(startError(/only with --rejoin/));
});

test('lines after the last seal were never acknowledged, and are cut off when the replica starts', async () => {
  const served = await replicaWith('1');
  await served.close();
  const whole = readFileSync(segmentIn('copy'));
  appendFileSync(segmentIn('copy'), `${'0'.repeat(64)} {}\n`);
  await expect(rig.serve('copy')).rejects.toEqual(startError(/altered/));
  writeFileSync(segmentIn('copy'), Buffer.concat([whole, Buffer.from(`${'0'.repeat(64)} {"at":`)]));
  await rig.serve('copy');
  expect(readFileSync(segmentIn('copy'))).toEqual(whole);
});

test('a replica whose folder was taken over no longer acknowledges, and its late write does not reach the new files', async () => {
  await rig.prepare('copy');
  let isTaken = false;
  let checks = 0;
  const assertHeld = () => {
    checks += isTaken ? 1 : 0;
    // The suspended process passes the check before its write.
    if (checks > 1) throw new Error('taken');
  };
  const suspended = await rig.serve('copy', { ...FREE, assertHeld });
  const first = await rig.signer('state', 'copy');
  await first.append('1');
  await rig.serve('copy', { ...FREE, mustCopy: true }).then(({ close }) => close());
  const taken = journalIn(rig.dirOf('copy'));
  isTaken = true;
  const waiting = first.append('2');
  await waitUntil('the end of the suspended replica', () => suspended.broken.length > 0);
  expect(journalIn(rig.dirOf('copy'))).toBe(taken);
  await suspended.close();
  await rig.serve('copy');
  await waiting;
  expect(journalIn(rig.dirOf('copy'))).toBe(journalIn(rig.dirOf('state')));
});
