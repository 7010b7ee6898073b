import { randomBytes } from 'node:crypto';
import { backfillArchivedTime } from '../../../application/backfills/start-backfill';
import { applySettings } from '../../../chains/network-settings';
import { addressWatchStore } from '../../../entities/address-watches/address-watch.store';
import { backfillStore } from '../../../entities/backfills/backfill.store';
import { EventEntity } from '../../../entities/events/event.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { watchedAddressStore } from '../../../entities/scans/watched-address.store';
import { newId } from '../../../platform/ids';
import { someAddress } from '../../support/address-watch-api';
import { backfillOver, liveFromOf, runBackfill } from '../../support/backfilling';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type Paid, type ScriptedBlocks } from '../../support/scripted-blocks';

const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';

let database: TestDatabase;
let watchList: WatchList;
let chain: ScriptedBlocks;
let orgId: string;
let watchId: string;
let address: string;

beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  chain = createScriptedBlocks();
  orgId = await database.createOrganization();
  // The network is read for another address while the watch is archived.
  await createScannedWallet(database.db, orgId, NETWORK.name);
  watchId = newId('addressWatch');
  address = someAddress();
  const fixed = { network: 'EthereumSepolia' as const, name: null, externalId: null, tags: [], requestDigest: 'digest' };
  await database.db.withOrg(orgId, (tx) => addressWatchStore.add(tx, { id: watchId, address, ...fixed }));
  await scan();
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const scan = () => scanAll(scannerOver({ db: database.db, watchList, source: chain.source, gateway: chain.gateway }));
const paid = (): Paid => ({ from: STRANGER, to: address, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` });
const heights = async () =>
  (await database.db.read(orgId).rows(MovementEntity, `WHERE t.status = 'Confirmed' ORDER BY t.block_height`)).map(
    ({ blockHeight }) => Number(blockHeight),
  );
const told = async () => (await database.db.read(orgId).rows(EventEntity, `WHERE t.kind LIKE 'address_watch%'`)).length;
const latest = () => backfillStore.latestOf(database.db.read(orgId), watchId);
const liveFrom = () => liveFromOf(database.db, orgId, watchId);
const run = async () => runBackfill(backfillOver(database.db, chain)(orgId, (await latest())?.id ?? ''));

/** Mines a block that pays the watched address and makes it final. Returns its height. */
async function pay(): Promise<number> {
  const height = chain.mine([paid()]);
  for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  await scan();
  return height;
}
const archive = () =>
  database.db.withOrg(orgId, async (tx) => {
    await addressWatchStore.archive(tx, watchId);
    await backfillStore.endOf(tx, watchId, 'the address watch was archived');
  });
const revive = (network: 'EthereumSepolia' | 'BaseSepolia' = 'EthereumSepolia') =>
  database.db.withOrg(orgId, async (tx) => {
    const archived = await watchedAddressStore.find(tx, watchId);
    if (!archived) throw new Error('the watch has no address');
    await addressWatchStore.revive(tx, watchId, { requestDigest: 'digest' });
    await backfillArchivedTime(tx, { id: watchId, network }, archived);
  });

test('payments from the archived time become history without events, and this history joins its earlier part', async () => {
  const first = await liveFrom();
  const before = await pay();
  await archive();
  const during = await pay();
  await revive();
  await scan();
  const after = await pay();
  expect([await heights(), await told()]).toEqual([[before, after], 2]);
  expect(await run()).toBe(true);
  expect([await heights(), await told()]).toEqual([[before, during, after], 2]);
  expect(await latest()).toMatchObject({ cause: 'Revived', status: 'Done', joins: String(first), found: '1' });
  expect(await liveFrom()).toBe(first);
});

test('a payment that was not final when the watch was archived, and was then moved to an earlier block, is found', async () => {
  await pay();
  const payment = paid();
  chain.mine();
  chain.mine([payment]);
  await scan();
  await archive();
  chain.drop(2);
  const moved = chain.mine([payment]);
  for (let more = NETWORK.confirmations; more > 0; more -= 1) chain.mine();
  await scan();
  await revive();
  await scan();
  await pay();
  await run();
  expect(await heights()).toContain(moved);
});

test('blocks that were read before the watch was archived and revived again are not treated as read', async () => {
  await archive();
  const during = await pay();
  await revive();
  await scan();
  await pay();
  const first = (await latest())?.id ?? '';
  // The watch is archived and revived while the first blocks are read.
  const block: ScriptedBlocks['source']['block'] = async (height) => {
    if (height === during) {
      await archive();
      await revive();
    }
    return chain.source.block(height);
  };
  const source = { ...chain.source, block, blocksAtOnce: 64 };
  await runBackfill(backfillOver(database.db, chain, { source })(orgId, first));
  expect(await liveFrom()).toBeUndefined();
  expect((await latest())?.id).not.toBe(first);
  expect(await backfillStore.find(database.db.read(orgId), first)).toMatchObject({ status: 'Stopped', blocks: '0', found: '0' });

  await scan();
  await pay();
  await run();
  expect(await heights()).toContain(during);
});

test('if archiving ended the back-fill of an earlier archived time, the next back-fill includes that time', async () => {
  const first = await liveFrom();
  await archive();
  const during = await pay();
  await revive();
  await scan();
  await archive();
  await pay();
  await revive();
  await scan();
  await pay();
  await run();
  expect(await heights()).toContain(during);
  expect(await liveFrom()).toBe(first);
});

test('nothing is read for a watch that was archived before the network was read', async () => {
  await database.arrange('DELETE FROM scans', []);
  await archive();
  await revive();
  expect(await latest()).toBeUndefined();
});

test('nothing is read for a watch on a network whose blocks are no longer read', async () => {
  await archive();
  applySettings({}, { BaseSepolia: { scan: false } });
  await revive('BaseSepolia');
  expect(await latest()).toBeUndefined();
});
