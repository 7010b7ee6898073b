import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../../../signer/record/journal/entries';
import type { Fence, Journal } from '../../../../signer/record/journal/journal';
import { openJournal } from '../../../../signer/record/journal/open-journal';
import { kekOf, temporaryFolder } from '../../fixtures';

const temporary = temporaryFolder();
let stateDir: string;
let replicaDir: string;
let count = 0;
beforeEach(() => {
  count += 1;
  stateDir = join(temporary.path, `state-${count}`);
  replicaDir = join(temporary.path, `replica-${count}`);
  for (const folder of [stateDir, replicaDir]) mkdirSync(folder);
});
afterAll(temporary.remove);

type Folders = { readonly stateDir: string; readonly replicaDir?: string };
const open = (folders: Folders = { stateDir, replicaDir }, fence?: Fence, onBroken: (cause: Error) => void = () => undefined) =>
  openJournal({ ...folders, kek: kekOf(7), onBroken, fence });
const entry = (requestId: string): Entry => ({ kind: 'Withdrawn', orgId: 'or-a', requestId });
const known = ({ index }: Journal, ids: readonly string[]) => ids.filter((id) => index.get(`withdrawn/or-a/${id}`) === true);
const removeIndex = () => {
  for (const name of readdirSync(stateDir)) if (name.startsWith('index-')) rmSync(join(stateDir, name), { recursive: true });
};
const segment = (folder: string, number = 1) => join(folder, `journal-00000${number}.jsonl`);
const textOf = (folder: string, number = 1) => readFileSync(segment(folder, number), 'utf8');

async function write(folders: Folders, ...ids: readonly string[]) {
  const journal = await open(folders);
  for (const id of ids) await journal.append(entry(id));
  await journal.close();
}
/** Opens both folders, and expects that they are equal and know exactly these entries of 1 to 4. */
async function assertKnown(...ids: readonly string[]) {
  const journal = await open();
  expect(known(journal, ['1', '2', '3', '4'])).toEqual(ids);
  await journal.append(entry('last'));
  await journal.close();
  expect(textOf(replicaDir)).toBe(textOf(stateDir));
}

test('an entry is in both folders when its promise resolves, with the key of the journal', async () => {
  const journal = await open();
  await journal.append(entry('1'));
  for (const folder of [stateDir, replicaDir]) expect(textOf(folder)).toContain('"requestId":"1"');
  await journal.close();
  const keyIn = (folder: string) => readFileSync(join(folder, 'journal-key.json'), 'utf8');
  expect(keyIn(replicaDir)).toBe(keyIn(stateDir));
});

test('a new replica gets what the state folder has', async () => {
  await write({ stateDir }, '1', '2');
  await assertKnown('1', '2');
});

test('a state folder that was lost is filled from its replica', async () => {
  await write({ stateDir, replicaDir }, '1', '2');
  rmSync(stateDir, { recursive: true });
  mkdirSync(stateDir);
  await assertKnown('1', '2');
});

test('a state folder that was replaced by an older copy of itself, index included, gets its later entries back', async () => {
  await write({ stateDir, replicaDir }, '1');
  const older = readFileSync(segment(stateDir));
  await write({ stateDir, replicaDir }, '2');
  removeIndex();
  writeFileSync(segment(stateDir), older);
  await assertKnown('1', '2');
});

test('a replica that missed entries, or has half a batch, catches up', async () => {
  await write({ stateDir, replicaDir }, '1');
  await write({ stateDir }, '2', '3');
  appendFileSync(segment(replicaDir), '+ [{"half":');
  await assertKnown('1', '2', '3');
});

test('a batch that reached only the replica counts, because nothing shows that it was not acknowledged', async () => {
  await write({ stateDir, replicaDir }, '1');
  const before = readFileSync(segment(stateDir));
  await write({ stateDir, replicaDir }, '2');
  writeFileSync(segment(stateDir), Buffer.concat([before, Buffer.from('f00d')]));
  removeIndex();
  await assertKnown('1', '2');
});

test('two folders that went on apart are refused, and stay as they are', async () => {
  await write({ stateDir, replicaDir }, '1');
  await write({ stateDir }, '2');
  await write({ stateDir: replicaDir }, '3', '4');
  const texts = [textOf(stateDir), textOf(replicaDir)];
  await expect(open()).rejects.toThrow(/contradict each other/);
  expect([textOf(stateDir), textOf(replicaDir)]).toEqual(texts);
});

test('the replica of another signer is refused', async () => {
  await write({ stateDir }, '1');
  await write({ stateDir: replicaDir }, '1');
  await expect(open()).rejects.toThrow(/hold the journals of two signers/);
});

test('lines that somebody without the key added to the replica are not accepted', async () => {
  await write({ stateDir, replicaDir }, '1');
  const [last = ''] = textOf(replicaDir).trimEnd().split('\n').slice(-1);
  appendFileSync(segment(replicaDir), `${'1'.repeat(64)} {"kind":"FreezeReleased"}\n${'2'.repeat(64)}${last.slice(64)}\n`);
  await expect(open()).rejects.toThrow(/altered or damaged/);
});

test('a signer that works on the replica after a takeover goes on in a segment that the state folder gets later', async () => {
  const earlier = await open();
  await earlier.append(entry('1'));
  const promoted = await open({ stateDir: replicaDir }, { mustCopy: true, assertHeld: () => undefined });
  await promoted.append(entry('2'));
  await promoted.close();
  await earlier.close();
  const journal = await open();
  expect(known(journal, ['1', '2'])).toEqual(['1', '2']);
  await journal.close();
  expect(textOf(stateDir, 2)).toBe(textOf(replicaDir, 2));
});

test('if one medium fails, nothing is acknowledged', async () => {
  const causes: Error[] = [];
  const journal = await open(undefined, undefined, (cause) => causes.push(cause));
  const { open: openHandle } = await import('node:fs/promises');
  const probe = await openHandle(segment(stateDir), 'r');
  const sync = jest.spyOn(Object.getPrototypeOf(probe), 'datasync').mockRejectedValueOnce(new Error('EIO'));
  await probe.close();
  await expect(journal.append(entry('1'))).rejects.toThrow('EIO');
  sync.mockRestore();
  await expect(journal.append(entry('2'))).rejects.toThrow('EIO');
  expect(causes).toHaveLength(1);
  await journal.close();
});

test('a replica of a folder of an older release gets the journal and not the older files', async () => {
  writeFileSync(join(stateDir, 'signatures.jsonl'), '');
  await write({ stateDir, replicaDir }, '1');
  expect(readdirSync(replicaDir).sort()).toEqual(['journal-000001.jsonl', 'journal-key.json']);
  copyFileSync(segment(replicaDir), segment(stateDir));
  await assertKnown('1');
});
