import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { isDamage, isLocked, SealedStore, StoreDamaged } from '../../../../signer/record/journal/sealed-store';
import { temporaryFolder } from '../../fixtures';

const temporary = temporaryFolder();
let path: string;
let count = 0;
beforeEach(() => {
  count += 1;
  path = join(temporary.path, String(count));
});
afterAll(temporary.remove);

const KEY = Buffer.alloc(32, 5);
const END = { segment: 1, last: 'a'.repeat(64), offsetBytes: 100 };
const open = (key = KEY) => SealedStore.open(path, key);
const changes = (values: Readonly<Record<string, unknown>>) => new Map(Object.entries(values));
async function written(...batches: readonly Readonly<Record<string, unknown>>[]) {
  const store = await open();
  for (const batch of batches) await store.write(changes(batch), END);
  await store.close();
}
async function withLevel(alter: (level: ClassicLevel<string, Buffer>) => Promise<void>) {
  const level = new ClassicLevel<string, Buffer>(path, { valueEncoding: 'buffer' });
  await alter(level);
  await level.close();
}

test('values, overwritten values and the checkpoint are readable after a restart, and pass the check', async () => {
  await written({ a: 1, b: { n: [2] } }, { a: 3 });
  const store = await open();
  expect([store.get('a'), store.get('b'), store.get('c'), store.checkpoint]).toEqual([3, { n: [2] }, undefined, END]);
  await store.check('AtOnce');
  await store.close();
});

test('a name with multi-byte characters is found, however long the names before it were', async () => {
  const names = Array.from({ length: 300 }, (_none, index) => 'xTransfer:'.slice(index % 9) + 'é€𝄞'.repeat(index % 97));
  await written(changesOf(names));
  for (let first = 0; first < 20; first += 1) {
    const store = await open();
    for (const name of [...names.slice(first), ...names.slice(0, first)]) expect(store.get(name)).toBe(true);
    await store.close();
  }
});
const changesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));

test.each<[string, (level: ClassicLevel<string, Buffer>) => Promise<void>]>([
  ['changed', async (level) => level.put('a', Buffer.concat([(await level.get('a'))?.subarray(0, 16) ?? KEY, Buffer.from('9')]))],
  ['moved to another name', async (level) => level.put('a', (await level.get('b')) ?? KEY)],
  ['shortened', (level) => level.put('a', Buffer.from('1'))],
])('a value that was %s on the disk is refused', async (_what, alter) => {
  await written({ a: 1, b: 2 });
  await withLevel(alter);
  const store = await open();
  expect(() => store.get('a')).toThrow(StoreDamaged);
  expect(store.get('b')).toBe(2);
  await expect(store.check('AtOnce')).rejects.toThrow(StoreDamaged);
  await store.close();
});

test.each<[string, (level: ClassicLevel<string, Buffer>) => Promise<void>]>([
  ['is missing', (level) => level.del('a')],
  ['was replaced by an earlier value', async (level) => level.put('a', earlier)],
])('the check finds that a value %s', async (_what, alter) => {
  await written({ a: 1 });
  await withLevel(async (level) => {
    earlier = (await level.get('a')) ?? KEY;
  });
  await written({ a: 2 });
  await withLevel(alter);
  const store = await open();
  await expect(store.check('AtOnce')).rejects.toThrow(/lacks a value/);
  await store.close();
});
let earlier: Buffer;

test('a batch that LevelDB drops from a damaged log is detected when the store is opened', async () => {
  const store = await open();
  // LevelDB's log has blocks of 32 KiB, and LevelDB drops everything in the damaged block.
  for (let n = 1; n <= 20; n += 1) await store.write(changes({ [`name-${n}`]: 'x'.repeat(10_000) }), END);
  // Copies the files as a kill would leave them: LevelDB has not yet turned its log into a table.
  const files = readdirSync(path).map((name) => [name, readFileSync(join(path, name))] as const);
  await store.close();
  for (const name of readdirSync(path)) rmSync(join(path, name));
  for (const [name, content] of files) {
    if (name.endsWith('.log')) content.writeUInt8(content.readUInt8(100) ^ 1, 100);
    writeFileSync(join(path, name), content);
  }
  await expect(open()).rejects.toThrow(/lacks a batch/);
});

test('a missing manifest, a missing table and a truncated table are reported as damage', async () => {
  const many = () => Array.from({ length: 40 }, (_none, n) => ({ [`name-${n}`]: 'x'.repeat(300_000) }));
  const files = (form: RegExp) => readdirSync(path).filter((name) => form.test(name));
  const alterations: readonly (() => void)[] = [
    () => rmSync(join(path, files(/^MANIFEST/)[0] ?? '')),
    () => rmSync(join(path, files(/ldb$/)[0] ?? '')),
    () => truncateSync(join(path, files(/ldb$/)[0] ?? ''), 5_000),
  ];
  for (const alter of alterations) {
    rmSync(path, { recursive: true, force: true });
    await written(...many());
    alter();
    const found = await open().then(
      async (store) => {
        const fault = await store.check('AtOnce').catch((error: unknown) => error);
        await store.close();
        return fault;
      },
      (error: unknown) => error,
    );
    expect(isDamage(found)).toBe(true);
  }
});

test('a partly removed folder is detected as damage', async () => {
  await written(...Array.from({ length: 3 }, (_none, n) => ({ [`name-${n}`]: n })));
  await written({ last: true });
  for (const name of readdirSync(path)) if (!name.endsWith('.log')) rmSync(join(path, name));
  const opened = open();
  await expect(opened).rejects.toThrow();
  await opened.catch((error: unknown) => expect(isDamage(error)).toBe(true));
});

test('a store in use is not reported as damaged, and a store does not open with the key of another journal', async () => {
  await written({ a: 1 });
  const store = await open();
  await open().then(
    () => fail('opened twice'),
    (error: unknown) => expect([isLocked(error), isDamage(error)]).toEqual([true, false]),
  );
  await store.close();
  await expect(open(Buffer.alloc(32, 6))).rejects.toThrow(StoreDamaged);
});
