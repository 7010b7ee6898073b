import { randomBytes } from 'node:crypto';
import type { Scanner } from '../../../activities/scans/scanner';
import type { Database } from '../../../entities/database';
import { EventEntity } from '../../../entities/events/event.entity';
import { IncomingTransactionEntity } from '../../../entities/incoming-transactions/incoming-transaction.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { scanStore } from '../../../entities/scans/scan.store';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createDice } from '../../support/dice';
import { dyingAfter } from '../../support/dying-database';
import { createScannedWallet, insertWallet, newKeyPair, type ScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type Paid, type ScriptedBlocks } from '../../support/scripted-blocks';

const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';

let database: TestDatabase;
let watchList: WatchList;
let chain: ScriptedBlocks;
let wallet: ScannedWallet;
let scanner: Scanner;

beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  chain = createScriptedBlocks();
  wallet = await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  scanner = scannerWith(database.db);
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const scannerWith = (db: Database): Scanner => scannerOver({ db, watchList, source: chain.source, gateway: chain.gateway });

const scan = () => scanAll(scanner);

const paid = (set: Partial<Paid> = {}): Paid => ({
  ...{ from: STRANGER, to: wallet.address, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` },
  ...set,
});
const rowsOf = (orgId = wallet.orgId) =>
  database.db.read(orgId).rows(MovementEntity, 'ORDER BY t.block_height, t.place, t.direction');
const told = async (orgId = wallet.orgId) =>
  (
    await database.db
      .read(orgId)
      .rows(EventEntity, `WHERE t.kind LIKE 'wallet.blockchain%' ORDER BY t.aggregate_id, t.aggregate_version`)
  ).map(({ kind, aggregateVersion }) => `${kind.split('.').at(-1)} ${aggregateVersion}`);
const kept = () => scanStore.keptBlocks(database.db.read(''), NETWORK.name);

test('no block is requested while no address is watched', async () => {
  const other = await createTestDatabase();
  const list = openWatchList(other.relayUrl);
  chain.isDown = true;
  const idle = scannerOver({ db: other.db, watchList: list, source: chain.source, gateway: chain.gateway });
  expect(await idle.step()).toEqual({ isIdle: true, behindBlocks: 0, pauseMs: 1_000 });
  await list.close();
  await other.close();
});

test('a payment that was in a block before the first look at the network is not missed', async () => {
  for (let more = 5; more > 0; more -= 1) chain.mine();
  chain.mine([paid({ amountUnits: 9n })]);
  for (let more = 9; more > 0; more -= 1) chain.mine();
  await database.arrange(`UPDATE watched_addresses SET date_added = $1`, [chain.blocks[5]?.date]);
  await scan();
  expect((await rowsOf()).map(({ amountUnits }) => amountUnits)).toEqual(['9']);
});

test('a payment is included as soon as it is in a block, and confirmed at the number of confirmations', async () => {
  await scan();
  const payment = paid();
  const height = chain.mine([payment]);
  await scan();
  const [row] = await rowsOf();
  expect(row).toMatchObject({
    ...{ subjectId: wallet.walletId, direction: 'In', kind: 'NativeTransfer', status: 'Included', version: 1 },
    ...{ blockHeight: String(height), txHash: payment.txHash, amountUnits: '7', symbol: 'ETH', decimals: 18, isVerified: true },
    id: expect.stringMatching(/^ce-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
  });
  expect(await told()).toEqual(['included 1']);
  for (let more = NETWORK.confirmations - 1; more > 0; more -= 1) {
    expect((await rowsOf())[0]?.status).toBe('Included');
    chain.mine();
    await scan();
  }
  expect((await rowsOf())[0]).toMatchObject({ status: 'Confirmed', version: 2 });
  expect(await told()).toEqual(['included 1', 'detected 2']);
});

test.each([
  [1, 0],
  [2, 0],
  [2, 1],
])(
  'a block that a crash after commit %i left recorded in part, replaced %i heights later, does not stop the scan',
  async (commit, skipped) => {
    await scan();
    chain.mine([paid({ amountUnits: 3n })]);
    scanner = scannerWith(dyingAfter(database.db, commit));
    await expect(scan()).rejects.toThrow('killed');
    expect((await kept()).at(-1)?.state).toBe('Reading');
    chain.drop(1);
    chain.skip(skipped);
    chain.mine([paid({ amountUnits: 4n })]);
    chain.mine();
    scanner = scannerWith(database.db);
    await scan();
    expect((await kept()).map(({ hash, state }) => `${hash} ${state}`).slice(-2)).toEqual(
      chain.blocks.slice(-2).map(({ hash }) => `${hash} Read`),
    );
    const standing = (await rowsOf()).filter(({ status }) => status !== 'Withdrawn');
    expect(standing.map(({ amountUnits }) => amountUnits)).toEqual(['4']);
  },
);

test('the judgement of an incoming payment starts once, and an outgoing payment starts none', async () => {
  await scan();
  chain.mine([paid(), paid({ from: wallet.address, to: STRANGER })]);
  for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  await scan();
  scanner = scannerWith(database.db);
  await scan();
  const incoming = await database.db.read(wallet.orgId).rows(IncomingTransactionEntity, '');
  expect(incoming).toEqual([expect.objectContaining({ walletId: wallet.walletId, amountUnits: '7', fromAddress: STRANGER })]);
});

test('a confirmed token payment that a reorganisation moves within its block is judged once', async () => {
  const mineFinal = (payments: readonly Paid[]) => {
    chain.mine(payments);
    for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
    return scan();
  };
  const payment = paid({ contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' });
  await scan();
  await mineFinal([payment]);
  chain.drop(NETWORK.confirmations + 1);
  await mineFinal([paid({ to: STRANGER }), payment]);
  expect(await rowsOf()).toEqual([expect.objectContaining({ status: 'Confirmed', logIndex: '1' })]);
  expect(await database.db.read(wallet.orgId).rows(IncomingTransactionEntity, '')).toHaveLength(1);
});

test('an address in two organisations has a row in each, and a payment between two wallets of one organisation has a row for each wallet', async () => {
  const pair = newKeyPair(NETWORK.name);
  const orgIds = [wallet.orgId, await database.createOrganization()] as const;
  const [own, twin] = await Promise.all(
    orgIds.map((orgId) => database.db.withOrg(orgId, (tx) => insertWallet(tx, NETWORK.name, pair))),
  );
  await scan();
  chain.mine([paid({ from: pair.address })]);
  await scan();
  expect((await rowsOf()).map(({ subjectId, direction }) => [subjectId, direction])).toEqual([
    [wallet.walletId, 'In'],
    [own?.walletId, 'Out'],
  ]);
  expect((await rowsOf(orgIds[1])).map(({ subjectId, direction }) => [subjectId, direction])).toEqual([[twin?.walletId, 'Out']]);
  expect((await told()).length + (await told(orgIds[1])).length).toBe(3);
});

test('a wallet whose address was altered in the database does not hold up the network', async () => {
  await scan();
  await database.arrange(`UPDATE wallets SET address = $1 WHERE id = $2`, [STRANGER, wallet.walletId]);
  const honest = await createScannedWallet(database.db, wallet.orgId, NETWORK.name);
  chain.mine([paid(), paid({ to: honest.address })]);
  await scan();
  const events = await database.db.read(wallet.orgId).rows(EventEntity, `WHERE t.kind LIKE 'wallet.blockchain%' ORDER BY t.id`);
  const shown = events.map(({ data }) => (data['wallet'] as { id: string } | undefined)?.id);
  expect(shown.sort()).toEqual([honest.walletId, undefined]);
});

test('a reorganisation withdraws a movement, and the same transaction in another block takes the same row', async () => {
  await scan();
  const payment = paid();
  chain.mine([payment]);
  await scan();
  const [before] = await rowsOf();
  chain.drop(1);
  chain.mine();
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ id: before?.id, status: 'Withdrawn', version: 2 })]);
  const height = chain.mine([payment]);
  await scan();
  expect(await rowsOf()).toEqual([
    expect.objectContaining({ id: before?.id, status: 'Included', version: 3, blockHeight: String(height) }),
  ]);
  expect(await told()).toEqual(['included 1', 'reversed 2', 'included 3']);
});

test('a reorganisation after finality is reported as a reversal of a confirmed movement', async () => {
  await scan();
  chain.mine([paid()]);
  for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  await scan();
  chain.drop(NETWORK.confirmations + 1);
  for (let more = NETWORK.confirmations + 2; more > 0; more -= 1) chain.mine();
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ status: 'Withdrawn', version: 3 })]);
  const [reversal] = await database.db.read(wallet.orgId).rows(EventEntity, `WHERE t.kind LIKE '%reversed'`);
  expect(reversal?.data).toMatchObject({ blockchainEvent: { status: 'Confirmed' } });
});

test('when final blocks are reorganised, movements of the new blocks are confirmed at the same heights', async () => {
  await scan();
  chain.mine([paid()]);
  for (let more = NETWORK.confirmations - 1; more > 0; more -= 1) chain.mine();
  await scan();
  const again = chain.drop(NETWORK.confirmations);
  chain.mine(again);
  for (let more = NETWORK.confirmations - 1; more > 0; more -= 1) chain.mine();
  await scan();
  expect(await rowsOf()).toEqual([expect.objectContaining({ status: 'Confirmed', version: 5 })]);
});

test('a node that is behind, or shows a shorter part of the same chain, withdraws nothing', async () => {
  await scan();
  chain.mine([paid()]);
  chain.mine();
  await scan();
  const newest = chain.blocks.at(-1);
  (chain.blocks as unknown[]).pop();
  await scan();
  (chain.blocks as unknown[]).push(newest);
  chain.mine();
  await scan();
  expect(await told()).toEqual(['included 1', 'detected 2']);
});

test('a chain that differs further back than all kept blocks stops the scanner, and nothing is withdrawn', async () => {
  await scan();
  for (let more = 5; more > 0; more -= 1) chain.mine([paid()]);
  await scan();
  chain.drop(chain.blocks.length);
  (chain.blocks as unknown[]).push({ height: 0, hash: '0xother', parentHash: '0x', date: new Date(), paid: [] });
  for (let more = 9; more > 0; more -= 1) chain.mine();
  await expect(scan()).rejects.toMatchObject({ code: 'NetworkUnavailable', message: expect.stringContaining('further back') });
  expect((await rowsOf()).every(({ status }) => status !== 'Withdrawn')).toBe(true);
});

test('nothing is confirmed while the nodes that must agree show another block', async () => {
  await scan();
  chain.mine([paid()]);
  for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  chain.otherHash = '0xother';
  await scan();
  expect((await rowsOf())[0]?.status).toBe('Included');
  chain.otherHash = undefined;
  chain.mine();
  await scan();
  expect((await rowsOf())[0]?.status).toBe('Confirmed');
});

test('if an address is committed while blocks are read, the movements of the address are complete from the next block on', async () => {
  await scan();
  const pair = newKeyPair(NETWORK.name);
  const [inserted, released] = [gate(), gate()];
  const opened = database.db.withOrg(wallet.orgId, async (tx) => {
    const late = await insertWallet(tx, NETWORK.name, pair);
    await tx.query('SELECT 1');
    inserted.open();
    await released.passed;
    return late;
  });
  await inserted.passed;
  // Others commit and blocks are read while the transaction is open, so its id is below the ids of later transactions.
  chain.mine([paid({ to: pair.address, amountUnits: 1n })]);
  await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  await scan();
  released.open();
  const late = await opened;
  chain.mine([paid({ to: pair.address, amountUnits: 2n })]);
  await scan();
  const own = (await rowsOf()).filter(({ subjectId }) => subjectId === late.walletId);
  expect(own.map(({ amountUnits }) => amountUnits)).toEqual(['2']);
  const [watched] = await database.db
    .read(wallet.orgId)
    .select<{ height: number }>('SELECT live_from::int AS height FROM watched_addresses WHERE subject_id = $1', [late.walletId]);
  expect(watched?.height).toBe(Number(own[0]?.blockHeight));
});

function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

test('old blocks are replaced by a count, and the blocks that are kept have no gap', async () => {
  await scan();
  for (let more = 90; more > 0; more -= 1) chain.mine();
  await scan();
  const scanned = await scanStore.find(database.db.read(''), NETWORK.name);
  const blocks = await kept();
  expect(scanned).toMatchObject({ firstHeight: 1, foldedBlocks: scanned?.folded.height, foldedUnproved: 0, foldedUntraced: 0 });
  expect(blocks[0]).toMatchObject({ height: (scanned?.folded.height ?? 0) + 1, parentHash: scanned?.folded.hash });
  expect(blocks.at(-1)).toMatchObject({ height: 90, state: 'Read' });
  for (const [at, block] of blocks.entries()) if (at > 0) expect(block.parentHash).toBe(blocks[at - 1]?.hash);
});

test('a block with more movements than one transaction takes is recorded completely', async () => {
  await scan();
  chain.mine(Array.from({ length: 1_201 }, () => paid()));
  await scan();
  expect(await rowsOf()).toHaveLength(1_201);
  expect(await told()).toHaveLength(1_201);
});

test('a second scanner at the same time duplicates neither rows nor events', async () => {
  await scan();
  const second = scannerWith(database.db);
  for (let round = 0; round < 10; round += 1) {
    chain.mine([paid()]);
    await Promise.allSettled([scanner.step(), second.step()]);
  }
  await scan();
  expect(await rowsOf()).toHaveLength(10);
  expect((await told()).filter((one) => one.startsWith('included'))).toEqual(Array.from({ length: 10 }, () => 'included 1'));
});

test.each([11, 23, 47])('after random reorganisations and crashes the rows agree with the chain (seed %i)', async (seed) => {
  const roll = createDice(seed);
  const others = [wallet, await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name)];
  const someone = () => others[roll(others.length)]?.address ?? STRANGER;
  await scan();
  const first = chain.blocks.length;
  for (let round = 0; round < 60; round += 1) {
    const action = roll(10);
    if (action < 5) chain.mine(Array.from({ length: roll(4) }, () => paid({ to: someone(), amountUnits: BigInt(1 + roll(9)) })));
    else if (action < 7 && chain.blocks.length > first + 4) {
      const again = chain.drop(1 + roll(4));
      for (let more = 1 + roll(3); more > 0; more -= 1) chain.mine(more === 1 ? again.filter(() => roll(2) === 0) : []);
    } else if (action === 7) {
      scanner = scannerWith(dyingAfter(database.db, 1 + roll(6)));
      await scan().catch(() => undefined);
      scanner = scannerWith(database.db);
    } else await scan();
  }
  chain.mine();
  await scan();
  for (const { orgId, address } of others) {
    const expected = chain.blocks
      .slice(first)
      .flatMap(({ height, paid: payments }) =>
        payments.filter(({ to }) => to === address).map(({ txHash }) => `${height} ${txHash}`),
      );
    const rows = (await rowsOf(orgId)).filter(({ status }) => status !== 'Withdrawn');
    expect(rows.map(({ blockHeight, txHash }) => `${blockHeight} ${txHash}`).sort()).toEqual(expected.sort());
    const all = await rowsOf(orgId);
    const events = await database.db.read(orgId).rows(EventEntity, `WHERE t.kind LIKE 'wallet.blockchain%'`);
    for (const { id, version, status } of all) {
      const own = events.filter(({ aggregateId }) => aggregateId === id).sort((a, b) => a.aggregateVersion - b.aggregateVersion);
      expect(own.map(({ aggregateVersion }) => aggregateVersion)).toEqual(Array.from({ length: version }, (_, at) => at + 1));
      const last = { Included: 'included', Confirmed: 'detected', Withdrawn: 'reversed' }[status];
      expect(own.at(-1)?.kind.split('.').at(-1)).toBe(last);
    }
  }
});
