import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DurableFile, type FileOptions } from '../../../signer/record/durable-file';
import { withoutOldEvidence } from '../../../signer/record/evidence-retention';
import { temporaryFolder } from '../fixtures';

const temporary = temporaryFolder();
let folder: string;
let path: string;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(temporary.path, `folder-${count}`);
  mkdirSync(folder);
  path = join(folder, 'log');
});
afterAll(temporary.remove);

async function open(options: FileOptions = {}, onBroken: (cause: Error) => void = () => undefined) {
  const entries: unknown[] = [];
  const file = await DurableFile.open(path, (entry) => entries.push(entry), onBroken, options);
  return { file, entries };
}
async function write(...entries: unknown[]) {
  const { file } = await open();
  await Promise.all(entries.map((entry) => file.append(entry)));
  await file.close();
}
async function entriesNow(): Promise<unknown[]> {
  const { file, entries } = await open();
  await file.close();
  return entries;
}

type Long = { readonly n: number; readonly long?: string };
const long = (n: number): Long => ({ n, long: 'x'.repeat(500) });
const summarise = (entry: unknown) => {
  const { n, long: text } = entry as Long;
  return text === undefined ? undefined : { n };
};
const shortly: FileOptions = { summarise, gainBytesMin: 1 };

test('a file is rewritten with shorter entries if that gains enough, and stays one chain', async () => {
  await write(long(1), { n: 2 }, long(3));
  const before = readFileSync(path, 'utf8');
  const { file, entries } = await open(shortly);
  expect(entries).toHaveLength(3);
  await file.append({ n: 4 });
  await file.close();
  expect(await entriesNow()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  // The old file stays under the hash of its last line, and the new file names this hash.
  const last = before.trimEnd().split('\n').at(-1)?.slice(0, 64) ?? '';
  expect(readdirSync(folder).sort()).toEqual(['log', `log.${last}`]);
  expect(readFileSync(`${path}.${last}`, 'utf8')).toBe(before);
  expect(readFileSync(path, 'utf8').split('\n')[0]).toContain(`"after":"${last}"`);
});

test('a file is shortened again later, and left alone while nothing is gained', async () => {
  await write(long(1));
  await (await open(shortly)).file.close();
  const once = readFileSync(path, 'utf8');
  await (await open(shortly)).file.close();
  expect(readFileSync(path, 'utf8')).toBe(once);
  await write(long(2));
  await (await open({ summarise, gainBytesMin: 10_000 })).file.close();
  expect(readdirSync(folder)).toHaveLength(2);
  await (await open(shortly)).file.close();
  expect(await entriesNow()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(readFileSync(path, 'utf8').match(/shortened/g)).toHaveLength(1);
});

test('a shortened file with an altered heading or entry is refused', async () => {
  await write(long(1), { n: 2 });
  await (await open(shortly)).file.close();
  const text = readFileSync(path, 'utf8');
  for (const [from, to] of [
    ['"after":"', '"after":"0'],
    ['"n":1', '"n":7'],
  ] as const) {
    writeFileSync(path, text.replace(from, to));
    await expect(open()).rejects.toThrow(/altered or damaged at line/);
  }
});

test('the old file counts, however much of the new one a crash left', async () => {
  await write(long(1), { n: 2 });
  await (await open(shortly)).file.close();
  const anew = readFileSync(path);
  const kept = readdirSync(folder).find((name) => name !== 'log') ?? '';
  for (let end = 0; end <= anew.length; end += 5) {
    writeFileSync(path, readFileSync(join(folder, kept)));
    writeFileSync(`${path}.new`, anew.subarray(0, end));
    const { file, entries } = await open();
    await file.close();
    expect(entries).toEqual([long(1), { n: 2 }]);
    expect(readdirSync(folder)).not.toContain('log.new');
  }
});

test('a line that a crash tore is not copied into the new file', async () => {
  await write({ n: 1 }, { n: 2 });
  appendFileSync(path, 'f00d');
  const { file } = await open({ fence: { mustCopy: true, assertHeld: () => undefined } });
  await file.append({ n: 3 });
  await file.close();
  expect(await entriesNow()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('after a takeover an earlier holder writes into a file that no signer reads', async () => {
  const { file: earlier } = await open();
  await earlier.append({ n: 1 });
  const { file: successor } = await open({ fence: { mustCopy: true, assertHeld: () => undefined } });
  await earlier.append({ n: 'late' });
  await successor.append({ n: 2 });
  await earlier.append({ n: 'later' });
  await Promise.all([earlier.close(), successor.close()]);
  expect(await entriesNow()).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a holder succeeded before a write writes nothing, and one succeeded during a write confirms nothing', async () => {
  for (const checksThatHold of [0, 1]) {
    await write();
    let checks = 0;
    const causes: Error[] = [];
    const assertHeld = () => {
      checks += 1;
      if (checks > checksThatHold) throw new Error('succeeded');
    };
    const { file } = await open({ fence: { mustCopy: false, assertHeld } }, (cause) => causes.push(cause));
    await expect(file.append({ n: checksThatHold })).rejects.toThrow('succeeded');
    await expect(file.append({ n: 'more' })).rejects.toThrow('succeeded');
    await file.close();
    expect(causes).toHaveLength(1);
    expect(readFileSync(path, 'utf8').includes('"n"')).toBe(checksThatHold === 1);
  }
});

test('old entries lose their evidence and keep everything that prevents a second signature', () => {
  const now = Date.parse('2026-03-01T00:00:00.000Z');
  const shorter = withoutOldEvidence(now);
  const entry = { at: '2026-01-01T00:00:00.000Z', signed: { requestId: 'r' }, result: { digestHex: 'd' } };
  expect(shorter({ ...entry, evidence: [{ kind: 'Initiator' }] })).toEqual({ ...entry, evidence: [] });
  expect(shorter({ ...entry, evidence: [] })).toBeUndefined();
  expect(shorter(entry)).toBeUndefined();
  expect(shorter({ ...entry, at: '2026-02-20T00:00:00.000Z', evidence: [{ kind: 'Initiator' }] })).toBeUndefined();
});
