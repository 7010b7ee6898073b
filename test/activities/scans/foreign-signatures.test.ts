import { randomBytes } from 'node:crypto';
import type { Scanner } from '../../../activities/scans/scanner';
import type { ChainSignature } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import { addressWatchStore } from '../../../entities/address-watches/address-watch.store';
import { EventEntity } from '../../../entities/events/event.entity';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { newId } from '../../../platform/ids';
import type { SignerClient } from '../../../signer/protocol';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createScannedWallet, newKeyPair, type ScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, DATE_LAG_MS_MAX, type ScriptedBlocks } from '../../support/scripted-blocks';

const word = () => `0x${randomBytes(32).toString('hex')}`;
/** This date is later than the creation of every key in these tests. */
const LATER = new Date('2100-01-01T00:00:00Z');

let database: TestDatabase;
let watchList: WatchList;
let chain: ScriptedBlocks;
let wallet: ScannedWallet;
let made: Set<string>;
let asked: Parameters<SignerClient['wasSigned']>[0][];
let isSignerAway: boolean;
let alarms: (readonly [string, string])[];
let scanner: Scanner;

beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  chain = createScriptedBlocks(LATER);
  wallet = await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  [made, asked, isSignerAway, alarms] = [new Set(), [], false, []];
  scanner = newScanner();
  await scanAll(scanner);
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const newScanner = () =>
  scannerOver({
    ...{ db: database.db, watchList, source: chain.source, gateway: chain.gateway },
    signer: {
      wasSigned: async (order) => {
        if (isSignerAway) throw new AppError('SignerUnavailable', 'The signer cannot be reached');
        asked.push(order);
        return { wereSigned: order.signatures.map(({ r }) => made.has(r)) };
      },
    },
    onForeign: (walletId, txHash) => alarms.push([walletId, txHash]),
  });

/** Mines a payment that an address sends, with the signature that the node shows for it. */
function mineSent(from: string, set: Partial<ChainSignature> = {}): ChainSignature {
  const [txHash, to] = [word(), newKeyPair(NETWORK.name).address];
  const signature = { address: from, txHash, r: word(), s: word(), isGenuine: async () => true, ...set };
  chain.signatures.push(signature);
  chain.mine([{ from, to, amountUnits: 7n, txHash }]);
  return signature;
}
const freezes = () => database.db.read(wallet.orgId).rows(FreezeEntity, 'ORDER BY t.id');
const movements = () => database.db.read(wallet.orgId).rows(MovementEntity, '');

test('a transaction that the signer signed freezes nothing', async () => {
  const { r, s } = mineSent(wallet.address);
  made.add(r);
  await scanAll(scanner);
  expect(asked).toEqual([{ orgId: wallet.orgId, signatures: [{ r, s }] }]);
  expect([await freezes(), alarms, (await movements()).length]).toEqual([[], [], 1]);
});

test('a signature that another party made with the key of a wallet freezes the key once, and raises an alarm', async () => {
  const first = mineSent(wallet.address);
  mineSent(wallet.address);
  await scanAll(scanner);
  const [freeze, ...further] = await freezes();
  expect(further).toEqual([]);
  expect(freeze).toMatchObject({ targetKind: 'Key', createdBy: null, dateReleased: null });
  expect(freeze?.reason).toContain(first.txHash);
  expect(alarms).toEqual([[wallet.walletId, first.txHash]]);
  const events = await database.db.read(wallet.orgId).rows(EventEntity, `WHERE t.kind = 'freeze.created'`);
  expect(events.map(({ aggregateId }) => aggregateId)).toEqual([freeze?.id]);
  expect(await movements()).toHaveLength(2);
});

test('a freeze that people have released is not repeated for the same transaction in another block', async () => {
  const signature = mineSent(wallet.address);
  await scanAll(scanner);
  await database.arrange(`UPDATE freezes SET date_released = now(), released_by = 'cr-1', release_action_id = 'ua-1'`, []);
  const paid = chain.drop(1);
  chain.mine();
  chain.mine(paid);
  await scanAll(scanner);
  expect(asked.flatMap(({ signatures }) => signatures.map(({ r }) => r))).toEqual([signature.r, signature.r]);
  expect((await freezes()).map(({ dateReleased }) => dateReleased === null)).toEqual([false]);
  mineSent(wallet.address);
  await scanAll(scanner);
  expect((await freezes()).map(({ dateReleased }) => dateReleased === null).sort()).toEqual([false, true]);
});

test('a use of an exported key elsewhere raises an alarm and freezes nothing', async () => {
  await database.arrange('UPDATE keys SET date_exported = now()', []);
  const { txHash } = mineSent(wallet.address);
  await scanAll(scanner);
  expect([await freezes(), alarms]).toEqual([[], [[wallet.walletId, txHash]]]);
});

test.each([
  { frozen: 1, created: 'at the last moment at which the block can have been made', afterMs: DATE_LAG_MS_MAX },
  { frozen: 0, created: 'after the block was made, by an import', afterMs: DATE_LAG_MS_MAX + 1 },
])('a signature of a key that was created $created: $frozen freezes', async ({ frozen, afterMs }) => {
  mineSent(wallet.address);
  const mined = chain.blocks.at(-1)?.date as Date;
  await database.arrange('UPDATE keys SET date_created = $1', [new Date(mined.getTime() + afterMs)]);
  await scanAll(scanner);
  expect([(await freezes()).length, alarms.length]).toEqual([frozen, frozen]);
});

test('a node that reports a wallet as the sender without a signature by the key of the wallet is refused, and nothing is recorded', async () => {
  mineSent(wallet.address, { isGenuine: async () => false });
  await expect(scanAll(scanner)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect([await freezes(), alarms, await movements()]).toEqual([[], [], []]);
});

test('without the signer, no block with a signature of a wallet is recorded, and none is skipped', async () => {
  isSignerAway = true;
  chain.mine();
  const { txHash } = mineSent(wallet.address);
  await expect(scanAll(scanner)).rejects.toMatchObject({ code: 'SignerUnavailable' });
  expect(await movements()).toEqual([]);
  isSignerAway = false;
  await scanAll(scanner);
  expect([(await freezes()).length, alarms, (await movements()).length]).toEqual([1, [[wallet.walletId, txHash]], 1]);
});

test('a watched address that sends is not ours, and the signer is not asked', async () => {
  const { address } = newKeyPair(NETWORK.name);
  const watch = { id: newId('addressWatch'), network: 'EthereumSepolia', address, name: null, externalId: null } as const;
  await database.db.withOrg(wallet.orgId, (tx) => addressWatchStore.add(tx, { ...watch, tags: [], requestDigest: 'dd' }));
  chain.mine();
  await scanAll(scanner);
  mineSent(address);
  await scanAll(scanner);
  expect([asked, await freezes()]).toEqual([[], []]);
});

test('the signer is asked about at most 500 signatures at once', async () => {
  for (let more = 501; more > 0; more -= 1) made.add(mineSent(wallet.address).r);
  await scanAll(scanner);
  expect(Math.max(...asked.map(({ signatures }) => signatures.length))).toBeLessThanOrEqual(500);
  expect(asked.reduce((sum, { signatures }) => sum + signatures.length, 0)).toBe(501);
});
