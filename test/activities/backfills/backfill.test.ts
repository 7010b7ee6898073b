import { randomBytes } from 'node:crypto';
import { EventEntity } from '../../../entities/events/event.entity';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { IncomingTransactionEntity } from '../../../entities/incoming-transactions/incoming-transaction.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { type Asked, addBackfill, backfillOver, backfillRow, liveFromOf, runBackfill } from '../../support/backfilling';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';
import { createScannedWallet, type ScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type Paid, type ScriptedBlocks } from '../../support/scripted-blocks';

const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const EARLIER_BLOCKS = 40;

let database: TestDatabase;
let watchList: WatchList;
let chain: ScriptedBlocks;
let wallet: ScannedWallet;

const scanner = () => scannerOver({ db: database.db, watchList, source: chain.source, gateway: chain.gateway });
const scan = () => scanAll(scanner());
const mine = (count: number) => {
  for (let more = count; more > 0; more -= 1) chain.mine();
};
const paid = (set: Partial<Paid> = {}): Paid => ({
  ...{ from: STRANGER, to: wallet.address, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` },
  ...set,
});
const rows = () => database.db.read(wallet.orgId).rows(MovementEntity, 'ORDER BY t.block_height, t.place, t.direction');
const kinds = async () =>
  (await database.db.read(wallet.orgId).rows(EventEntity, `WHERE t.kind LIKE '%blockchain%' ORDER BY t.id`)).map(
    ({ kind }) => kind,
  );
const liveFrom = () => liveFromOf(database.db, wallet.orgId, wallet.walletId);
const add = (asked: Asked) => addBackfill(database.db, wallet.orgId, wallet.walletId, asked);
const run = (id: string, parts = {}, db = database.db) => runBackfill(backfillOver(db, chain, parts)(wallet.orgId, id));
const row = (id: string) => backfillRow(database.db, wallet.orgId, id);

/** The chain has `EARLIER_BLOCKS` blocks when the wallet becomes known. From then on the scanner reads the chain. */
beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  chain = createScriptedBlocks(new Date('2026-01-01T00:00:00Z'));
  wallet = await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

async function live(): Promise<void> {
  await scan();
  mine(NETWORK.confirmations + 1);
  await scan();
}

test('movements from before the wallet was known become history, without events and without a judgement', async () => {
  mine(5);
  chain.mine([paid({ amountUnits: 9n }), paid({ from: wallet.address, to: STRANGER, amountUnits: 2n })]);
  mine(EARLIER_BLOCKS);
  await live();
  const top = (await liveFrom()) ?? 0;
  const id = await add({ fromHeight: '0' });
  expect(await run(id)).toBe(true);
  expect(
    (await rows()).map(({ status, version, direction, blockHeight, amountUnits, quotes }) => ({
      ...{ status, version, direction, blockHeight, amountUnits, quotes },
    })),
  ).toEqual([
    { status: 'Confirmed', version: 1, direction: 'In', blockHeight: '6', amountUnits: '9', quotes: null },
    { status: 'Confirmed', version: 1, direction: 'Out', blockHeight: '6', amountUnits: '2', quotes: null },
  ]);
  expect(await kinds()).toEqual([]);
  expect(await database.db.read(wallet.orgId).rows(IncomingTransactionEntity, '')).toEqual([]);
  expect(await liveFrom()).toBe(0);
  expect(await row(id)).toMatchObject({
    ...{ status: 'Done', top: String(top), nextHeight: '-1', blocks: String(top), found: '2', unproved: '0', untraced: '0' },
    ...{ reason: null, dateDone: expect.any(Date) },
  });
});

test.each([
  [9, ['10', '11']],
  [10, ['10', '11']],
  [11, ['11']],
])('the first block of the range is read, and the block before it is not (from %i)', async (fromHeight, found) => {
  mine(9);
  chain.mine([paid()]);
  chain.mine([paid()]);
  mine(EARLIER_BLOCKS);
  await live();
  await run(await add({ fromHeight: String(fromHeight) }));
  expect((await rows()).map(({ blockHeight }) => blockHeight)).toEqual(found);
  expect(await liveFrom()).toBe(fromHeight);
});

test('a date ends the range at the newest block that was certainly made before the date', async () => {
  chain.mine([paid()]);
  mine(100);
  chain.mine([paid()]);
  mine(EARLIER_BLOCKS);
  await live();
  const height = 102;
  const fromDate = chain.blocks[height]?.date ?? new Date();
  const id = await add({ fromDate });
  await run(id);
  expect((await rows()).map(({ blockHeight }) => blockHeight)).toEqual([String(height)]);
  const first = Number((await row(id)).nextHeight) + 1;
  expect(chain.blocks[first + 1]?.date.getTime()).toBeLessThanOrEqual(fromDate.getTime());
  expect(fromDate.getTime() - (chain.blocks[first]?.date.getTime() ?? 0)).toBeGreaterThan(60_000);
  expect(await liveFrom()).toBe(first);
});

test('heights without a block are passed only if the hash of the parent proves them', async () => {
  chain.mine([paid()]);
  chain.skip(20);
  chain.mine([paid()]);
  mine(EARLIER_BLOCKS);
  await live();
  await run(await add({ fromHeight: '0' }));
  expect((await rows()).map(({ blockHeight }) => blockHeight)).toEqual(['1', '22']);
  expect(await liveFrom()).toBe(0);
});

describe('a crash', () => {
  const MANY = 501;
  const COMMITS = 5;

  test.each(Array.from({ length: COMMITS }, (_, index) => index + 1))(
    'after commit %i neither loses nor repeats anything',
    async (commit) => {
      chain.mine(Array.from({ length: MANY }, () => paid()));
      mine(20);
      chain.mine([paid()]);
      mine(5);
      await live();
      const id = await add({ fromHeight: '0' });
      await expect(run(id, {}, dyingAfter(database.db, commit))).rejects.toThrow('killed');
      await run(id);
      expect(await rows()).toHaveLength(MANY + 1);
      expect(await row(id)).toMatchObject({ status: 'Done', found: String(MANY + 1), nextHeight: '-1' });
      expect(await liveFrom()).toBe(0);
    },
  );
});

test('two processes that work on one back-fill write each movement once, and a second back-fill of the wallet is refused', async () => {
  for (let block = 0; block < EARLIER_BLOCKS; block += 1) chain.mine([paid()]);
  await live();
  const top = await liveFrom();
  const id = await add({ fromHeight: '0' });
  await expect(add({ fromHeight: '0' })).rejects.toThrow('another back-fill is running');
  await Promise.all([run(id), run(id), run(id)]);
  expect(await rows()).toHaveLength(EARLIER_BLOCKS);
  expect(await row(id)).toMatchObject({ status: 'Done', found: String(EARLIER_BLOCKS), blocks: String(top) });
});

test('a movement that the scanner has already recorded stays as it is', async () => {
  await scan();
  chain.mine([paid()]);
  mine(NETWORK.confirmations + 5);
  await scan();
  const before = await rows();
  const told = await kinds();
  await database.arrange('UPDATE watched_addresses SET live_from = live_from + 4', []);
  const id = await add({ fromHeight: '0' });
  await run(id);
  expect([before.length, await rows(), await kinds()]).toEqual([1, before, told]);
  expect(await row(id)).toMatchObject({ status: 'Done', found: '0' });
});

test('nothing is read before the scanner has read a block for the wallet and this block is final', async () => {
  mine(5);
  const id = await add({ fromHeight: '0' });
  expect(await run(id)).toBe(false);
  await scan();
  chain.mine();
  await scan();
  expect(await run(id)).toBe(false);
  expect(await row(id)).toMatchObject({ status: 'Running', top: null, blocks: '0' });
  mine(NETWORK.confirmations);
  await scan();
  expect(await run(id)).toBe(true);
});

describe('blocks that cannot be read', () => {
  const attempts = async (id: string, count: number) => {
    let isOver = false;
    for (let left = count; left > 0; left -= 1) isOver = await run(id);
    return isOver;
  };

  test('a block that no node has any more ends the back-fill with a gap, and a later back-fill continues', async () => {
    chain.mine([paid()]);
    mine(9);
    chain.mine([paid()]);
    mine(EARLIER_BLOCKS);
    await live();
    chain.hidden.add(8);
    const id = await add({ fromHeight: '0' });
    expect(await attempts(id, 14)).toBe(false);
    expect(await row(id)).toMatchObject({
      status: 'Running',
      failures: 14,
      nextHeight: '8',
      reason: expect.stringContaining('block 8'),
    });
    expect(await attempts(id, 1)).toBe(true);
    expect(await row(id)).toMatchObject({
      status: 'Gap',
      nextHeight: '8',
      reason: expect.stringContaining('block 8'),
      found: '1',
    });
    expect(await liveFrom()).toBe(9);
    expect((await rows()).map(({ blockHeight }) => blockHeight)).toEqual(['11']);

    chain.hidden.clear();
    const again = await add({ fromHeight: '0' });
    expect(await run(again)).toBe(true);
    expect(await row(again)).toMatchObject({ status: 'Done', found: '1', top: '9' });
    expect(await liveFrom()).toBe(0);
  });

  test('while no node answers, the back-fill waits and does not count failures', async () => {
    mine(EARLIER_BLOCKS);
    await live();
    const id = await add({ fromHeight: '0' });
    chain.isDown = true;
    expect(await attempts(id, 20)).toBe(false);
    expect(await row(id)).toMatchObject({ status: 'Running', failures: 0, reason: 'The node does not answer' });
    chain.isDown = false;
    expect(await run(id)).toBe(true);
    expect(await row(id)).toMatchObject({ status: 'Done', reason: null });
  });

  test('a success resets the count of failures', async () => {
    mine(EARLIER_BLOCKS);
    await live();
    chain.hidden.add(30);
    const id = await add({ fromHeight: '0' });
    await attempts(id, 10);
    chain.hidden.clear();
    chain.hidden.add(2);
    await attempts(id, 10);
    expect(await row(id)).toMatchObject({ status: 'Running', failures: 10, nextHeight: '2' });
  });

  test('a block whose hash differs from the parent hash in its child is not recorded', async () => {
    mine(10);
    chain.mine([paid({ to: STRANGER })]);
    mine(EARLIER_BLOCKS);
    await live();
    const liar = createScriptedBlocks();
    for (let more = 10; more > 0; more -= 1) liar.mine();
    liar.mine([paid()]);
    const block: ScriptedBlocks['source']['block'] = (height) => (height === 11 ? liar : chain).source.block(height);
    const id = await add({ fromHeight: '0' });
    expect(await run(id, { source: { ...chain.source, block } })).toBe(false);
    expect(await row(id)).toMatchObject({ status: 'Running', nextHeight: '11', failures: 1 });
    expect(await rows()).toEqual([]);
  });

  test('the first block is read only if the nodes agree on its child', async () => {
    mine(10);
    await live();
    chain.otherHash = `0x${'00'.repeat(32)}`;
    const id = await add({ fromHeight: '0' });
    expect(await run(id)).toBe(false);
    expect(await row(id)).toMatchObject({ status: 'Running', blocks: '0', reason: expect.stringContaining('do not agree') });
  });

  test('an error that no node has caused is not recorded as a gap', async () => {
    mine(10);
    chain.mine([paid()]);
    mine(10);
    await live();
    const id = await add({ fromHeight: '0' });
    await expect(run(id, { assetOf: () => Promise.reject(new Error('a bug')) })).rejects.toThrow('a bug');
    expect(await row(id)).toMatchObject({ status: 'Running', failures: 0 });
  });
});

test('a back-fill ends at its bound and records this reason, and the next back-fill continues', async () => {
  mine(EARLIER_BLOCKS);
  await live();
  const id = await add({ fromHeight: '0' });
  await database.arrange('UPDATE backfills SET top = 1000020 WHERE id = $1', [id]);
  expect(await run(id)).toBe(true);
  expect(await row(id)).toMatchObject({ status: 'Stopped', nextHeight: '19', reason: expect.stringContaining('another one') });
  expect(await liveFrom()).toBe(20);
});

describe('a network that the service began to read after the wallet was known', () => {
  const known = 10;

  async function lateStart(lagMs = 0): Promise<string | undefined> {
    mine(EARLIER_BLOCKS);
    await scan();
    const added = new Date((chain.blocks.at(-1)?.date.getTime() ?? 0) + 60_000 - lagMs);
    await database.arrange('UPDATE watched_addresses SET live_from = NULL, date_added = $1', [added]);
    await database.arrange('UPDATE keys SET date_created = $1', [added]);
    chain.mine();
    await scan();
    mine(NETWORK.confirmations + 1);
    await scan();
    const [found] = await database.db.read(wallet.orgId).select<{ id: string }>('SELECT id FROM backfills');
    return found?.id;
  }
  const knownFrom = async (height: number) => {
    for (const column of ['watched_addresses SET date_added', 'backfills SET from_date'])
      await database.arrange(`UPDATE ${column} = $1`, [chain.blocks[height]?.date]);
  };

  test.each([
    [0, false],
    [1, true],
  ])(
    'gets a back-fill by itself if blocks that were made after the wallet was known were not read (%i ms)',
    async (lagMs, begins) => {
      const id = await lateStart(lagMs);
      expect(id !== undefined).toBe(begins);
      if (id === undefined) return;
      expect(await row(id)).toMatchObject({
        cause: 'LateStart',
        fromHeight: null,
        fromDate: expect.any(Date),
        requestedBy: null,
      });
      const starts = await database.db.read(wallet.orgId).select(`SELECT routing FROM outbox WHERE aggregate_id = $1`, [id]);
      expect(starts).toEqual([{ routing: expect.objectContaining({ workflow: 'scanAddress', network: NETWORK.name }) }]);
    },
  );

  test('gets no back-fill if only the genesis block was not read', async () => {
    await database.arrange('UPDATE watched_addresses SET date_added = $1', [chain.blocks[0]?.date]);
    await scan();
    chain.mine();
    await scan();
    expect(await database.db.read(wallet.orgId).select('SELECT id FROM backfills')).toEqual([]);
  });

  test('a payment made after the wallet was known is reported and judged, and an earlier payment is not', async () => {
    mine(known - 1);
    chain.mine([paid({ amountUnits: 1n })]);
    chain.mine([paid({ amountUnits: 2n })]);
    const id = (await lateStart(1)) ?? '';
    await knownFrom(known + 1);
    await run(id);
    expect((await rows()).map(({ amountUnits, status }) => `${amountUnits} ${status}`)).toEqual(['1 Confirmed', '2 Included']);
    chain.mine();
    await scan();
    expect((await rows()).map(({ amountUnits, status }) => `${amountUnits} ${status}`)).toEqual(['1 Confirmed', '2 Confirmed']);
    expect(await kinds()).toEqual(['wallet.blockchain_event.transfer.included', 'wallet.blockchainevent.detected']);
    const judged = await database.db.read(wallet.orgId).rows(IncomingTransactionEntity, '');
    expect(judged.map(({ amountUnits }) => amountUnits)).toEqual(['2']);
  });

  test.each([
    ['made after the wallet was known freezes the key', known + 1, false, 1],
    ['made before the wallet was known freezes nothing', known, false, 0],
    ['by an imported key freezes nothing', known + 1, true, 0],
  ])('a foreign signature %s', async (_title, height, isImported, count) => {
    mine(height - 1);
    const payment = paid({ from: wallet.address, to: STRANGER });
    chain.mine([payment]);
    const word = `0x${'11'.repeat(32)}`;
    chain.signatures.push({ address: wallet.address, txHash: payment.txHash, r: word, s: word, isGenuine: async () => true });
    mine(2);
    const id = (await lateStart(1)) ?? '';
    await knownFrom(known + 1);
    await database.arrange('UPDATE keys SET is_imported = $1, date_created = $2', [isImported, chain.blocks[known + 1]?.date]);
    const asked: unknown[] = [];
    const foreign: string[] = [];
    const wasSigned = async (question: { readonly signatures: readonly unknown[] }) => {
      asked.push(question);
      return { wereSigned: question.signatures.map(() => false) };
    };
    await run(id, { signer: { wasSigned }, onForeign: (_walletId: string, txHash: string) => void foreign.push(txHash) });
    expect(await database.db.read(wallet.orgId).rows(FreezeEntity, '')).toHaveLength(count);
    expect([asked.length, foreign.length]).toEqual([count, count]);
    expect(await rows()).toHaveLength(1);
  });
});
