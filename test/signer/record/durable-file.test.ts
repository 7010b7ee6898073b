import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open as openHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { DurableFile } from '../../../signer/record/durable-file';
import { temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
let path: string;
let count = 0;
beforeEach(() => {
  count += 1;
  path = join(folder.path, `file-${count}`);
});
afterAll(folder.remove);

async function open(onBroken: (cause: Error) => void = () => undefined) {
  const entries: unknown[] = [];
  const file = await DurableFile.open(path, (entry) => entries.push(entry), onBroken);
  return { file, entries };
}

async function write(...entries: unknown[]) {
  const { file } = await open();
  await Promise.all(entries.map((entry) => file.append(entry)));
  await file.close();
}

test('entries come back in order, over many openings, from a file that only its owner reads', async () => {
  await write({ n: 1 }, { n: 2 });
  await write({ n: 3 });
  const { entries, file } = await open();
  await file.close();
  expect(entries).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an entry is in the file when its promise resolves', async () => {
  const { file } = await open();
  await file.append({ n: 'here' });
  expect(readFileSync(path, 'utf8')).toContain('"here"');
  await file.close();
});

test('a line torn at any byte is cut off, and the file goes on after the last whole one', async () => {
  await write({ n: 1 }, { n: 2 });
  const whole = readFileSync(path);
  const firstEnd = whole.indexOf('\n') + 1;
  for (let end = firstEnd + 1; end < whole.length; end += 7) {
    writeFileSync(path, whole.subarray(0, end));
    const { file, entries } = await open();
    expect(entries).toEqual([{ n: 1 }]);
    expect(file.tornBytes).toBe(end - firstEnd);
    await file.append({ n: 'after' });
    await file.close();
    const again = await open();
    await again.file.close();
    expect(again.entries).toEqual([{ n: 1 }, { n: 'after' }]);
    expect(again.file.tornBytes).toBe(0);
  }
});

test('zeros that a crash left at the end are cut off', async () => {
  await write({ n: 1 });
  appendFileSync(path, Buffer.alloc(100));
  const { file, entries } = await open();
  await file.close();
  expect(entries).toEqual([{ n: 1 }]);
});

test.each<[string, (lines: string[]) => string[]]>([
  ['a changed entry', (lines) => lines.map((line) => line.replace('"n":2', '"n":9'))],
  ['a line taken out', (lines) => [lines[0] ?? '', lines[2] ?? '']],
  ['two lines in another order', (lines) => [lines[0] ?? '', lines[2] ?? '', lines[1] ?? '']],
  ['a line doubled', (lines) => [lines[0] ?? '', lines[0] ?? '']],
  ['a last line that is whole but wrong', (lines) => [...lines, `${'0'.repeat(64)} {"n":4}`]],
])('%s makes the opening fail, and the error names the line', async (_what, alter) => {
  await write({ n: 1 }, { n: 2 }, { n: 3 });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${alter(lines).join('\n')}\n`);
  await expect(open()).rejects.toThrow(/altered or damaged at line \d/);
});

test('after a failed write nothing is ever acknowledged again', async () => {
  const causes: Error[] = [];
  const { file } = await open((cause) => causes.push(cause));
  await file.append({ n: 1 });
  await file.close();
  const outcomes = await Promise.allSettled([file.append({ n: 2 }), file.append({ n: 3 })]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(file.append({ n: 4 })).rejects.toThrow();
  expect(causes).toHaveLength(1);
  const again = await open();
  await again.file.close();
  expect(again.entries).toEqual([{ n: 1 }]);
});

test('after one failed sync nothing later is written, even if the medium works again', async () => {
  const { file } = await open();
  const probe = await openHandle(path, 'r');
  // Both handles share a prototype, so the next sync fails as on a faulty medium, and later syncs succeed.
  const sync = jest.spyOn(Object.getPrototypeOf(probe), 'datasync').mockRejectedValueOnce(new Error('EIO'));
  await probe.close();
  const outcomes = await Promise.allSettled([file.append({ n: 1 }), file.append({ n: 2 })]);
  sync.mockRestore();
  await file.close();
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(readFileSync(path, 'utf8')).not.toContain('"n":2');
});
