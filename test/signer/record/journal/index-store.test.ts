import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { Index } from '../../../../signer/record/journal/index-store';
import { SealedStore, StoreDamaged } from '../../../../signer/record/journal/sealed-store';
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
const fail = (cause: Error) => {
  throw cause;
};
const open = async (onBroken: (cause: Error) => void = fail) => new Index(await SealedStore.open(path, KEY), onBroken);
const settle = (index: Index) => {
  index.closeBatch();
  index.settle(END);
};

test('a value is found before and after its batch is durable, and after a restart', async () => {
  const index = await open();
  expect(index.checkpoint()).toBeUndefined();
  index.put('a', { n: 1 });
  expect(index.get('a')).toEqual({ n: 1 });
  index.closeBatch();
  index.put('a', { n: 2 });
  expect(index.get('a')).toEqual({ n: 2 });
  index.settle(END);
  settle(index);
  await index.flushed();
  expect(index.get('a')).toEqual({ n: 2 });
  await index.close(false);
  const again = await open();
  expect([again.get('a'), again.get('b'), again.checkpoint()]).toEqual([{ n: 2 }, undefined, END]);
  await again.close(false);
});

test('a change that is not yet durable in the journal is never written to the disk by the index', async () => {
  const index = await open();
  index.put('durable', 1);
  settle(index);
  index.put('closed', 2);
  index.closeBatch();
  index.put('pending', 3);
  await index.flushed();
  await index.close(true);
  const again = await open();
  expect(['durable', 'closed', 'pending'].map((name) => again.get(name))).toEqual([1, undefined, undefined]);
  await again.close(true);
});

test('many changes are flushed automatically, and all of them are found during the flush and after it', async () => {
  const index = await open();
  for (let n = 0; n < 25_000; n += 1) {
    index.put(`name-${n}`, n);
    if (n % 10 === 9) settle(index);
    await index.room();
  }
  expect([0, 12_345, 24_999].map((n) => index.get(`name-${n}`))).toEqual([0, 12_345, 24_999]);
  await index.close(true);
  const again = await open();
  expect([0, 12_345].map((n) => again.get(`name-${n}`))).toEqual([0, 12_345]);
  await again.close(true);
});

test('a prefix yields exactly its own names', async () => {
  const index = await open();
  for (const name of ['a/1', 'a/2', 'ab/3', 'a', 'b/4']) index.put(name, name);
  settle(index);
  const found: unknown[] = [];
  for await (const value of index.each('a/')) found.push(value);
  expect(found).toEqual(['a/1', 'a/2']);
  await index.close(false);
});

test('a wait for the disk ends even while further changes arrive', async () => {
  const index = await open();
  let isDone = false;
  let n = 0;
  const load = async () => {
    while (!isDone) {
      index.put(`name-${n++}`, n);
      settle(index);
      await new Promise(setImmediate);
    }
  };
  const loading = load();
  for (let times = 0; times < 5; times += 1) await index.flushed();
  isDone = true;
  await loading;
  await index.close(false);
});

test('a value that fails the check stops the process once, and the next opening rebuilds the index', async () => {
  const index = await open();
  for (const name of ['a', 'b']) index.put(name, 1);
  settle(index);
  await index.close(false);
  const level = new ClassicLevel<string, Buffer>(path, { valueEncoding: 'buffer' });
  await level.del('a');
  await level.close();
  const causes: Error[] = [];
  const again = await open((cause) => causes.push(cause));
  await again.check();
  expect(causes).toEqual([expect.objectContaining({ message: expect.stringContaining('lacks a value') })]);
  await again.close(true);
  await expect(SealedStore.open(path, KEY)).rejects.toThrow(StoreDamaged);
});
