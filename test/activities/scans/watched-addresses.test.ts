import { randomBytes } from 'node:crypto';
import type { AssetLookup } from '../../../activities/scans/matches';
import type { Scanner } from '../../../activities/scans/scanner';
import { addressWatchStore } from '../../../entities/address-watches/address-watch.store';
import { EventEntity } from '../../../entities/events/event.entity';
import { IncomingTransactionEntity } from '../../../entities/incoming-transactions/incoming-transaction.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createScannedWallet, insertWallet, newKeyPair } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type Paid, type ScriptedBlocks } from '../../support/scripted-blocks';

const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';

let database: TestDatabase;
let watchList: WatchList;
let chain: ScriptedBlocks;
let scanner: Scanner;
let orgId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  chain = createScriptedBlocks();
  orgId = await database.createOrganization();
  scanner = scannerWith();
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const scannerWith = (others: { readonly assetOf?: AssetLookup } = {}): Scanner =>
  scannerOver({ db: database.db, watchList, source: chain.source, gateway: chain.gateway, ...others });

type Watched = { readonly id: string; readonly address: string };

async function watch(address = newKeyPair(NETWORK.name).address, by = orgId): Promise<Watched> {
  const row = { id: newId('addressWatch'), network: 'EthereumSepolia', address, name: null, externalId: null } as const;
  await database.db.withOrg(by, (tx) => addressWatchStore.add(tx, { ...row, tags: [], requestDigest: 'dd' }));
  return row;
}
const archive = ({ id }: Watched) => database.db.withOrg(orgId, (tx) => addressWatchStore.archive(tx, id));
const revive = ({ id }: Watched) => database.db.withOrg(orgId, (tx) => addressWatchStore.revive(tx, id, { requestDigest: 'ee' }));

const scan = () => scanAll(scanner);
const mineMany = (count: number) => {
  for (let more = count; more > 0; more -= 1) chain.mine();
};
const paid = ({ address }: Watched, set: Partial<Paid> = {}): Paid => ({
  ...{ from: STRANGER, to: address, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` },
  ...set,
});
const rowsOf = (subject: Watched, by = orgId) =>
  database.db.read(by).rows(MovementEntity, 'WHERE t.subject_id = $1 ORDER BY t.block_height', [subject.id]);
const told = (by = orgId) => database.db.read(by).rows(EventEntity, `WHERE t.kind LIKE '%blockchain%' ORDER BY t.id`);
const kindsTold = async (by = orgId) => (await told(by)).map(({ kind }) => kind);
const CONFIRMED = 'address_watch.blockchain_event.transfer.confirmed';

test('a payment to a watched address is reported only once it is confirmed, and is not judged', async () => {
  const watched = await watch();
  await scan();
  const payment = paid(watched);
  const height = chain.mine([payment]);
  await scan();
  expect(await rowsOf(watched)).toEqual([expect.objectContaining({ status: 'Included', direction: 'In', amountUnits: '7' })]);
  expect(await told()).toEqual([]);
  mineMany(NETWORK.confirmations);
  await scan();
  const [row] = await rowsOf(watched);
  expect(row?.status).toBe('Confirmed');
  const [event, ...others] = await told();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    ...{ kind: CONFIRMED, aggregateId: row?.id, aggregateVersion: 2 },
    data: {
      blockchainEvent: {
        ...{ id: row?.id, addressWatchId: watched.id, network: NETWORK.name, name: 'NativeTransfer', status: 'Confirmed' },
        ...{ blockNumber: height, txHash: payment.txHash, index: expect.stringMatching(/^\d+$/), timestamp: expect.any(String) },
        data: { kind: 'NativeTransfer', direction: 'In', from: STRANGER, to: watched.address, value: '7' },
      },
      addressWatch: { id: watched.id, address: watched.address, status: 'Active' },
    },
  });
  expect(await database.db.read(orgId).rows(IncomingTransactionEntity, '')).toEqual([]);
});

test('a reorganisation is reported only if the movement was reported as confirmed', async () => {
  const watched = await watch();
  await scan();
  const payment = paid(watched);
  chain.mine([payment]);
  await scan();
  chain.drop(1);
  mineMany(2);
  await scan();
  expect(await rowsOf(watched)).toEqual([expect.objectContaining({ status: 'Withdrawn' })]);
  expect(await told()).toEqual([]);
  chain.mine([payment]);
  mineMany(NETWORK.confirmations);
  await scan();
  chain.drop(NETWORK.confirmations + 1);
  mineMany(NETWORK.confirmations + 2);
  await scan();
  expect(await kindsTold()).toEqual([CONFIRMED, 'address_watch.blockchain_event.transfer.reversed']);
});

test('an archived watch gets no further movements, and no event for a movement that was not confirmed yet', async () => {
  const [archived, other] = [await watch(), await watch()];
  await scan();
  chain.mine([paid(archived)]);
  await scan();
  await archive(archived);
  chain.mine([paid(archived), paid(other)]);
  mineMany(NETWORK.confirmations);
  await scan();
  expect(await rowsOf(archived)).toEqual([expect.objectContaining({ status: 'Confirmed' })]);
  expect((await told()).map(({ data }) => (data['blockchainEvent'] as { addressWatchId: string }).addressWatchId)).toEqual([
    other.id,
  ]);
});

test('if a watch is archived while a block is read, the watch gets no movement of this block', async () => {
  const [archived, other] = [await watch(), await watch()];
  await scan();
  chain.mine([paid(archived), paid(other)]);
  scanner = scannerWith({
    assetOf: async () => {
      await archive(archived);
      return { ...NETWORK.nativeAsset, verified: true };
    },
  });
  await scan();
  expect([await rowsOf(archived), await rowsOf(other)]).toEqual([[], [expect.objectContaining({ status: 'Included' })]]);
});

test.each([
  ['the scanner that has run the whole time', false],
  ['a scanner that has started while the watch was archived', true],
])('a watch that was activated again is read by %s, and shows the first block of the new reading', async (_title, isNew) => {
  const [watched, other] = [await watch(), await watch()];
  await scan();
  const before = chain.mine([paid(watched)]);
  await scan();
  await archive(watched);
  if (isNew) scanner = scannerWith();
  chain.mine([paid(watched), paid(other)]);
  await scan();
  await revive(watched);
  const after = chain.mine([paid(watched)]);
  await scan();
  expect((await rowsOf(watched)).map(({ blockHeight }) => Number(blockHeight))).toEqual([before, after]);
  const [row] = await database.db
    .read(orgId)
    .select<{ height: number }>('SELECT live_from::int AS height FROM watched_addresses WHERE subject_id = $1', [watched.id]);
  expect(row?.height).toBe(after);
});

test('a wallet’s address that two organisations watch has rows and events for the wallet and for each watch', async () => {
  const pair = newKeyPair(NETWORK.name);
  const otherOrgId = await database.createOrganization();
  const wallet = await database.db.withOrg(orgId, (tx) => insertWallet(tx, NETWORK.name, pair));
  const [own, foreign] = [await watch(pair.address), await watch(pair.address, otherOrgId)];
  await scan();
  chain.mine([paid(own)]);
  mineMany(NETWORK.confirmations);
  await scan();
  const confirmed = [expect.objectContaining({ status: 'Confirmed', amountUnits: '7' })];
  expect(await rowsOf(own)).toEqual(confirmed);
  expect(await rowsOf({ id: wallet.walletId, address: wallet.address })).toEqual(confirmed);
  expect(await rowsOf(foreign, otherOrgId)).toEqual(confirmed);
  expect((await kindsTold()).sort()).toEqual([
    CONFIRMED,
    'wallet.blockchain_event.transfer.included',
    'wallet.blockchainevent.detected',
  ]);
  expect(await kindsTold(otherOrgId)).toEqual([CONFIRMED]);
  const incoming = await database.db.read(orgId).rows(IncomingTransactionEntity, '');
  expect(incoming.map(({ walletId }) => walletId)).toEqual([wallet.walletId]);
});

test('the database refuses to end the search for the address of a wallet', async () => {
  const wallet = await createScannedWallet(database.db, orgId, NETWORK.name);
  const stop = database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE watched_addresses SET is_active = false WHERE subject_id = $1', [wallet.walletId]),
  );
  await expect(stop).rejects.toThrow('violates check constraint');
});
