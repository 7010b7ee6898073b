import {
  AHEAD_BLOCKS_MAX,
  type BlockShelf,
  createBlockShelves,
  HANDED_WITHIN_MS,
  KEPT_BLOCKS_MAX,
  KEPT_TRANSACTIONS_MAX,
  REST_MS,
  WAIT_MS_MAX,
} from '../../activities/block-shelves';
import type { BlockBody, OnBody, ScannedBlock, ScanSource } from '../../chains/types';
import { createScriptedBlocks } from '../support/scripted-blocks';

let asked: number[];
let branch: string;
let highest: number;
/** While set, a read waits for `body` before it calls `onBody`, and then for `rest`. */
let slow: { readonly body: Promise<void>; readonly rest: Promise<void> } | undefined;
let shelf: BlockShelf;
let now: number;

const hashAt = (height: number, name = branch) => `${name}${height}`;
const placeAt = (height: number, name = branch) => ({ height, hash: hashAt(height, name) });
const bodyAt = (height: number, txHashes: readonly string[] = [`tx-${hashAt(height)}`]): BlockBody => ({
  ...{ ...placeAt(height), parentHash: hashAt(height - 1), parentHeight: height - 1, txHashes },
});
const source: ScanSource = {
  ...createScriptedBlocks().source,
  block: async (height: number, onBody?: OnBody): Promise<ScannedBlock | undefined> => {
    asked.push(height);
    if (height > highest) return undefined;
    const body = bodyAt(height);
    await slow?.body;
    onBody?.(body);
    await slow?.rest;
    const common = { date: new Date(0), proof: 'Root', sight: 'Traces' } as const;
    return { ...body, ...common, contents: async () => ({ movements: [], signatures: [] }) };
  },
};

beforeEach(() => {
  [asked, branch, highest, slow, now] = [[], 'a', 1_000, undefined, 50_000];
  shelf = createBlockShelves()('EthereumSepolia');
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** A scanner that has read up to this height. */
async function scannerAt(height: number) {
  const fed = shelf.feed(source);
  await fed.source.block(height);
  asked.length = 0;
  return fed;
}
const never = new Promise<void>(() => undefined);

test('a block that the scanner has read is not read again for the follower', async () => {
  await scannerAt(7);
  expect(await shelf.body(placeAt(7))).toEqual(bodyAt(7));
  expect(shelf.kept(hashAt(7))).toEqual(bodyAt(7));
  expect(asked).toEqual([]);
});

test('a block that the scanner is reading is read once, and the follower does not wait for its receipts and traces', async () => {
  const { source: fed } = await scannerAt(7);
  slow = { body: Promise.resolve(), rest: never };
  void fed.block(8);
  expect(await shelf.body(placeAt(8))).toEqual(bodyAt(8));
  expect(asked).toEqual([8]);
});

test('a block that the follower needs first is read once, for both', async () => {
  const { source: fed } = await scannerAt(7);
  expect(await shelf.body(placeAt(8))).toEqual(bodyAt(8));
  expect(await fed.block(8)).toMatchObject(placeAt(8));
  expect(asked).toEqual([8]);
});

test('the scanner waits for a block that is being read for the follower', async () => {
  const { source: fed } = await scannerAt(7);
  let end: () => void = () => undefined;
  slow = { body: Promise.resolve(), rest: new Promise((resolve) => (end = resolve)) };
  await shelf.body(placeAt(8));
  const waiting = fed.block(8);
  expect(await shelf.body(placeAt(8))).toEqual(bodyAt(8));
  end();
  expect(await waiting).toMatchObject(placeAt(8));
  expect(asked).toEqual([8]);
});

test('the scanner gets a block from the shelf (the blocks kept for both readers) once, and after a reorganisation reads the heights again', async () => {
  const { source: fed } = await scannerAt(7);
  for (const height of [8, 9]) await shelf.body(placeAt(height));
  expect(await fed.block(8)).toMatchObject(placeAt(8, 'a'));
  branch = 'b';
  expect(await fed.block(8)).toMatchObject(placeAt(8, 'b'));
  expect(await fed.block(9)).toMatchObject(placeAt(9, 'b'));
});

test('a second scanner of the process reads the blocks that the first one has taken', async () => {
  const { source: first } = await scannerAt(7);
  await shelf.body(placeAt(8));
  await first.block(8);
  await shelf.feed(source).source.block(8);
  expect(asked).toEqual([8, 8]);
});

test.each([
  [0, [8]],
  [1, [8, 8]],
])('a block on the shelf is read again only after the limit (%i ms after the limit, reads: %j)', async (late, reads) => {
  const { source: fed } = await scannerAt(7);
  await shelf.body(placeAt(8));
  now += HANDED_WITHIN_MS + late;
  await fed.block(8);
  expect(asked).toEqual(reads);
});

test('a block from a different branch is not mistaken for the block with this hash', async () => {
  await scannerAt(7);
  expect(await shelf.body(placeAt(7, 'b'))).toBeUndefined();
  expect(await shelf.body(placeAt(8, 'b'))).toBeUndefined();
});

test('a block from a different network is not used, even if it has the same hash', async () => {
  const shelves = createBlockShelves();
  shelf = shelves('EthereumSepolia');
  await scannerAt(7);
  expect(shelves('EthereumSepolia').kept(hashAt(7))).toBeDefined();
  const other = shelves('EthereumClassic');
  expect([other.kept(hashAt(7)), await other.body(placeAt(7)), await other.body(placeAt(8))]).toEqual(Array(3).fill(undefined));
});

test.each([
  [AHEAD_BLOCKS_MAX, 1],
  [AHEAD_BLOCKS_MAX + 1, 0],
  [0, 0],
  [-1, 0],
])('a block %i above the last block of the scanner is read ahead %i times', async (above, reads) => {
  await scannerAt(7);
  branch = 'b';
  const body = await shelf.body(placeAt(7 + above));
  expect([asked.length, body !== undefined]).toEqual([reads, reads === 1]);
});

test('nothing is read ahead until the scanner has read a block, nor after the scanner has ended', async () => {
  const { leave } = shelf.feed(source);
  expect(await shelf.body(placeAt(1))).toBeUndefined();
  leave();
  const later = await scannerAt(7);
  leave();
  expect(await shelf.body(placeAt(8))).toBeDefined();
  later.leave();
  expect(await shelf.body(placeAt(9))).toBeUndefined();
  expect(await later.source.block(8)).toMatchObject(placeAt(8));
  expect(asked).toEqual([8, 8]);
});

test('a block that the node does not have yet is read again by the scanner and for the follower', async () => {
  const { source: fed } = await scannerAt(7);
  highest = 7;
  expect(await shelf.body(placeAt(8))).toBeUndefined();
  highest = 8;
  expect(await shelf.body(placeAt(8))).toEqual(bodyAt(8));
  highest = 9;
  expect(await fed.block(9)).toMatchObject(placeAt(9));
});

test('a failed read of a shared block makes neither the follower nor the scanner fail', async () => {
  const { source: fed } = await scannerAt(7);
  slow = { body: Promise.reject(new Error('down')), rest: never };
  slow.body.catch(() => undefined);
  expect(await shelf.body(placeAt(8))).toBeUndefined();
  slow = undefined;
  expect(await fed.block(8)).toMatchObject(placeAt(8));
});

test('the follower waits for a slow read only for a moment, and then not again for a while', async () => {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick'] });
  await scannerAt(7);
  slow = { body: never, rest: never };
  const body = shelf.body(placeAt(8));
  await jest.advanceTimersByTimeAsync(WAIT_MS_MAX);
  expect(await body).toBeUndefined();
  slow = undefined;
  now += REST_MS - 1;
  expect(await shelf.body(placeAt(9))).toBeUndefined();
  now += 1;
  expect(await shelf.body(placeAt(9))).toEqual(bodyAt(9));
});

test('the shelf keeps a bounded number of blocks and of transactions, the newest ones', async () => {
  const { source: fed } = shelf.feed(source);
  for (let height = 1; height <= KEPT_BLOCKS_MAX + 1; height += 1) await fed.block(height);
  expect([shelf.kept(hashAt(1)), shelf.kept(hashAt(2))]).toEqual([undefined, bodyAt(2)]);
  const full = Array<string>(KEPT_TRANSACTIONS_MAX).fill('tx');
  const large = shelf.feed({
    ...source,
    block: async (height, onBody) => {
      onBody?.(bodyAt(height, height === 900 ? full : ['one more']));
      return undefined;
    },
  });
  await large.source.block(900);
  expect([shelf.kept(hashAt(KEPT_BLOCKS_MAX + 1)), shelf.kept(hashAt(900))]).toEqual([undefined, bodyAt(900, full)]);
  await large.source.block(901);
  expect([shelf.kept(hashAt(900)), shelf.kept(hashAt(901))]).toEqual([undefined, bodyAt(901, ['one more'])]);
});
