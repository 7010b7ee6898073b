import { randomBytes } from 'node:crypto';
import type { Scanner } from '../../../activities/scans/scanner';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { scanStore } from '../../../entities/scans/scan.store';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createScannedWallet, type ScannedWallet } from '../../support/scanned-wallets';
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
  chain.finalHeight = 0;
  wallet = await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  scanner = scannerOver({ db: database.db, watchList, source: chain.source, gateway: chain.gateway });
  await scan();
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const scan = () => scanAll(scanner);

const paid = (): Paid => ({
  from: STRANGER,
  to: wallet.address,
  amountUnits: 7n,
  txHash: `0x${randomBytes(32).toString('hex')}`,
});
const rows = () => database.db.read(wallet.orgId).rows(MovementEntity, 'ORDER BY t.block_height');
const told = async () => (await rows()).map(({ blockHeight, status }) => `${blockHeight} ${status}`);
const keptHeights = async () => (await scanStore.keptBlocks(database.db.read(''), NETWORK.name)).map(({ height }) => height);

test('more heights without a block than are read at once do not hold up the scanner', async () => {
  const before = chain.mine([paid()]);
  chain.skip(3 * chain.source.blocksAtOnce);
  const after = chain.mine([paid()]);
  expect(after).toBe(before + 3 * chain.source.blocksAtOnce + 1);
  await scan();
  expect(await told()).toEqual([`${before} Included`, `${after} Included`]);
  expect(await keptHeights()).toEqual([before, after]);
});

test.each([0, 1, 2])(
  'a reorganisation moves a payment to a height that had no block (%i heights are skipped now)',
  async (skipped) => {
    const payment = paid();
    const common = chain.mine();
    chain.skip(1);
    chain.mine([payment]);
    await scan();
    chain.drop(1);
    chain.skip(skipped);
    const height = chain.mine([payment]);
    await scan();
    expect(await told()).toEqual([`${height} Included`]);
    expect((await keptHeights()).slice(0, 2)).toEqual([common, height]);
  },
);

test('a node that hides a block is found out by the next block, and nothing is recorded or withdrawn', async () => {
  const before = chain.mine([paid()]);
  await scan();
  const hidden = chain.mine([paid()]);
  chain.hidden.add(hidden);
  chain.mine();
  await expect(scan()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect(await told()).toEqual([`${before} Included`]);
  chain.hidden.clear();
  await scan();
  expect(await told()).toEqual([`${before} Included`, `${hidden} Included`]);
});

test('blocks that a node no longer has are not treated as blocks that left the chain', async () => {
  for (let more = 4; more > 0; more -= 1) chain.mine([paid()]);
  await scan();
  chain.drop(1);
  for (const { height } of chain.blocks.slice(1)) chain.hidden.add(height);
  chain.mine();
  chain.mine();
  await scan();
  expect((await rows()).map(({ status }) => status)).toEqual(['Included', 'Included', 'Included', 'Withdrawn']);
});

test('where the network itself declares blocks final, later blocks alone confirm nothing', async () => {
  const first = chain.mine([paid()]);
  const second = chain.mine([paid()]);
  for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  await scan();
  expect(await told()).toEqual([`${first} Included`, `${second} Included`]);
  chain.finalHeight = first;
  chain.mine();
  await scan();
  expect(await told()).toEqual([`${first} Confirmed`, `${second} Included`]);
});
