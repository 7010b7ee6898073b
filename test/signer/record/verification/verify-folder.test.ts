import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createKekRing } from '../../../../signer/keys/kek';
import { sealedText } from '../../../../signer/record/journal/chained-lines';
import { readJournalKeys } from '../../../../signer/record/journal/journal-keys';
import { SealedStore } from '../../../../signer/record/journal/sealed-store';
import { kekOf, keyOrder, ORG, openJournal, openOperations } from '../../fixtures';
import { createVerifiedPlace, flipIn, indexIn, segmentOf, takeover, withdrawal } from './verified-place';

const place = createVerifiedPlace();
afterAll(place.remove);

/** Three segments, each with entries, and an index of all of them. */
let sound: string;
beforeAll(async () => {
  sound = place.newFolder();
  const signer = await openOperations(sound);
  await signer.createKey(keyOrder('key-1'));
  await signer.journal.append(withdrawal('first'));
  await signer.close();
  for (const id of ['second', 'third']) {
    const journal = await openJournal(sound, takeover);
    await journal.append(withdrawal(id));
    await journal.append(withdrawal(`${id}-b`, 'or-b'));
    await journal.close();
  }
});

test('an empty folder of a signer verifies, and a folder without a journal is refused', async () => {
  const stateDir = place.newFolder();
  await expect(place.unchanged(stateDir)).rejects.toThrow('has no journal of a signer');
  await place.fill(stateDir, async () => undefined);
  const report = await place.unchanged(stateDir);
  expect(report).toMatchObject({ faults: [], segments: 1, unsealedBytes: 0, tally: { entries: 0, first: undefined } });
  expect(report.index.kind).toBe('Compared');
});

test('a sound folder verifies and its content is reported, also for a copy without the index', async () => {
  const report = await place.unchanged(sound);
  expect(report).toMatchObject({ faults: [], segments: 3, unsealedBytes: 0 });
  expect(report.index).toEqual({ kind: 'Compared', position: report.end });
  expect([...report.tally.kinds]).toEqual([
    ['KeyCreated', 1],
    ['Withdrawn', 5],
  ]);
  const bytes = [1, 2, 3].reduce((sum, number) => sum + readFileSync(segmentOf(sound, number)).length, 0);
  expect([report.bytes, report.end?.segment, report.tally.entries]).toEqual([bytes, 3, 6]);
  expect((await place.unchanged(sound, kekOf(7), 'or-b')).tally.entries).toBe(2);
  expect((await place.unchanged(sound, kekOf(7), ORG)).tally.entries).toBe(1);
  const copy = place.copyOf(sound);
  rmSync(indexIn(copy), { recursive: true });
  expect(await place.unchanged(copy)).toMatchObject({ faults: [], index: { kind: 'Absent' }, end: report.end });
});

test('a folder verifies again and again while its signer appends, and does not stop the signer', async () => {
  const stateDir = place.newFolder();
  const signer = await openOperations(stateDir);
  let isOver = false;
  let appended = 0;
  const appending = (async () => {
    for (; !isOver; appended += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, at) => signer.journal.append(withdrawal(`xfr-${appended + at}`))));
      await signer.journal.index.flushed();
    }
  })();
  for (let round = 0; round < 5; round += 1) {
    const report = await place.check(stateDir);
    expect(report.faults).toEqual([]);
    expect(report.index.kind).toBe('Compared');
    expect(report.tally.entries).toBeLessThanOrEqual(appended + 100);
  }
  isOver = true;
  await appending;
  await signer.close();
  expect((await place.unchanged(stateDir)).tally.entries).toBe(appended);
});

test('an index that lags behind the journal is not a fault, and is compared up to its position', async () => {
  const stateDir = place.newFolder();
  await place.fill(stateDir, (journal) => journal.append(withdrawal('1')));
  const early = place.copyOf(stateDir);
  await place.fill(stateDir, (journal) => journal.append(withdrawal('2')));
  const index = indexIn(stateDir);
  rmSync(index, { recursive: true });
  cpSync(indexIn(early), index, { recursive: true });
  const report = await place.unchanged(stateDir);
  expect(report).toMatchObject({ faults: [], index: { kind: 'Compared' } });
  expect(report.index).not.toEqual({ kind: 'Compared', position: report.end });
});

test('bytes that a crash left after the last seal are reported, but not as a fault', async () => {
  const copy = place.copyOf(sound);
  appendFileSync(segmentOf(copy, 3), 'torn');
  expect(await place.unchanged(copy)).toMatchObject({ faults: [], unsealedBytes: 4 });
});

const lastLines = (path: string, drop: number) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${lines.slice(0, -1 - drop).join('\n')}\n`);
};
const forged = async (stateDir: string) => {
  const key = Buffer.alloc(32, 1);
  const text = readFileSync(segmentOf(stateDir, 3), 'utf8');
  const after = text.trimEnd().split('\n').at(-1)?.slice(0, 64) ?? '';
  appendFileSync(segmentOf(stateDir, 3), sealedText(key, [{ json: JSON.stringify(withdrawal('forged')) }], after).text);
};
/** Writes a value with a valid MAC. Only the signer itself could do so, because of a fault in its code. */
const rewritten = async (stateDir: string) => {
  const { value } = await readJournalKeys(stateDir, kekOf(7));
  const store = await SealedStore.open(indexIn(stateDir), value);
  const position = store.checkpoint;
  if (!position) throw new Error('no checkpoint');
  await store.write(new Map([['withdrawn/or-a/third', false]]), position);
  await store.close();
};
const foreignIndex = async (stateDir: string) => {
  const other = place.newFolder();
  await place.fill(other, (journal) => journal.append(withdrawal('other')));
  const path = indexIn(stateDir);
  rmSync(path, { recursive: true });
  cpSync(indexIn(other), path, { recursive: true });
};
const foreignShares = async (stateDir: string) => {
  const other = place.newFolder();
  mkdirSync(join(other, 'x'));
  await place.fill(other, async () => undefined);
  const name = 'share-keys.json';
  const [own, theirs] = [stateDir, other].map((folder) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  writeFileSync(join(stateDir, name), JSON.stringify({ ...own, signerId: theirs.signerId }));
};
const logOf = (stateDir: string) => {
  const [name] = readdirSync(indexIn(stateDir)).filter((one) => one.endsWith('.log'));
  return join(indexIn(stateDir), name ?? '');
};

type Damage = (stateDir: string) => unknown;
const FAULTS: readonly [string, Damage, RegExp, RegExp][] = [
  ['a flipped byte in a line', (dir) => flipIn(segmentOf(dir, 3), '"third"', 1), /^journal-000003\.jsonl, line 3$/, /its hash/],
  ['a flipped byte in a seal', (dir) => flipIn(segmentOf(dir, 1), '{"seal":"', 9), /^journal-000001\.jsonl, line 2$/, /its hash/],
  [
    'a flipped byte in a middle segment',
    (dir) => flipIn(segmentOf(dir, 2), '"second-b"', 1),
    /^journal-000002\.jsonl, line 5$/,
    /its hash/,
  ],
  [
    'a flipped byte in the heading of a segment',
    (dir) => flipIn(segmentOf(dir, 2), '"kind"', 1),
    /^journal-000002\.jsonl, line 1$/,
    /begin/,
  ],
  ['a line under a forged seal', forged, /^journal-000003\.jsonl, line 8$/, /its seal was not made with the key/],
  ['a removed last batch', (dir) => lastLines(segmentOf(dir, 3), 2), /^journal-000003\.jsonl$/, /lacks the lines up to byte/],
  ['a removed last line', (dir) => lastLines(segmentOf(dir, 3), 1), /^journal-000003\.jsonl$/, /lacks the lines up to byte/],
  [
    'lines removed from the end of a middle segment',
    (dir) => lastLines(segmentOf(dir, 2), 2),
    /^journal-000002\.jsonl, the end/,
    /a line that is not here/,
  ],
  ['a removed first segment', (dir) => rmSync(segmentOf(dir, 1)), /^journal-000001\.jsonl$/, /is missing/],
  ['a removed middle segment', (dir) => rmSync(segmentOf(dir, 2)), /^journal-000002\.jsonl$/, /is missing/],
  [
    'a removed last segment',
    (dir) => rmSync(segmentOf(dir, 3)),
    /^journal-000003\.jsonl$/,
    /is missing, and index-.* has read it/,
  ],
  [
    'a flipped byte in a value of the index',
    (dir) => flipIn(logOf(dir), 'withdrawn/or-a/second', 40),
    /^index-/,
    /damaged|lacks/,
  ],
  ['an index with a different value', rewritten, /^index-/, /its value of "withdrawn\/or-a\/third" is not the one/],
  ['an index from another folder', foreignIndex, /^index-/, /a value of the index was altered/],
  ['another signer’s keys for shares', foreignShares, /^share-keys\.json$/, /does not open/],
  ['no keys for shares', (dir) => rmSync(join(dir, 'share-keys.json')), /^share-keys\.json$/, /is missing/],
];

test.each(FAULTS)('%s is reported as the only fault, with its place', async (_name, damage, where, words) => {
  const copy = place.copyOf(sound);
  await damage(copy);
  const { faults } = await place.unchanged(copy);
  expect(faults).toEqual([{ place: expect.stringMatching(where), fault: expect.stringMatching(words) }]);
});

test('the first fault of each segment is reported, and the index is not compared with a journal that has faults', async () => {
  const copy = place.copyOf(sound);
  flipIn(segmentOf(copy, 1), '"first"', 1);
  flipIn(segmentOf(copy, 3), '"third"', 1);
  const { faults, index } = await place.unchanged(copy);
  expect(faults.map((fault) => fault.place)).toEqual(['journal-000001.jsonl, line 5', 'journal-000003.jsonl, line 3']);
  expect(index).toEqual({ kind: 'Uncompared' });
});

test('a folder does not verify with a different key-encryption key or the key of another journal', async () => {
  const ring = createKekRing(kekOf(8), []);
  await expect(place.unchanged(sound, ring)).rejects.toThrow(/journal-key\.json does not open: .*not among those configured/);
  const other = place.newFolder();
  await place.fill(other, async () => undefined);
  const copy = place.copyOf(sound);
  cpSync(join(other, 'journal-key.json'), join(copy, 'journal-key.json'));
  const { faults } = await place.unchanged(copy);
  const seals = faults.filter(({ fault }) => fault.startsWith('its seal'));
  expect(seals.map((fault) => fault.place)).toEqual([1, 2, 3].map((number) => `${basename(segmentOf(copy, number))}, line 2`));
  rmSync(join(copy, 'journal-key.json'));
  await expect(place.unchanged(copy)).rejects.toThrow(/journal-key\.json is missing/);
});
