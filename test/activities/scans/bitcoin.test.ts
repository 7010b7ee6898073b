import { createEarlierCoins } from '../../../activities/scans/earlier-coins';
import { createAssetLookup } from '../../../activities/scans/matches';
import type { Scanner } from '../../../activities/scans/scanner';
import { movementView } from '../../../application/movements/view';
import { createGateways } from '../../../chains/gateways';
import { networkOf } from '../../../chains/networks';
import { createReaders } from '../../../chains/readers';
import { createScanSources } from '../../../chains/scan-sources';
import type { Database } from '../../../entities/database';
import { EventEntity } from '../../../entities/events/event.entity';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { IncomingTransactionEntity } from '../../../entities/incoming-transactions/incoming-transaction.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { startTestCoinChain, type TestCoinChain } from '../../support/coin-chain';
import { type CoinKey, createCoinKey, PAYMENT_FEE } from '../../support/coin-payments';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';
import { insertWallet, type ScannedWallet } from '../../support/scanned-wallets';
import { scanAll, scannerOver } from '../../support/scanning';
import { waitUntil } from '../../support/wait-until';

jest.setTimeout(120_000);
const NETWORK = networkOf('BitcoinSignet');
const COIN = 100_000_000n;

let chain: TestCoinChain;
let database: TestDatabase;
let watchList: WatchList;
let orgId: string;
let key: CoinKey;
let wallet: ScannedWallet;
let scanner: Scanner;
/** Whether the signer has made the signatures that it is asked about. */
let isMadeHere: boolean;

beforeAll(async () => {
  chain = await startTestCoinChain('bitcoin');
}, 240_000);
afterAll(() => chain?.close());
beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  orgId = await database.createOrganization();
  key = createCoinKey(chain, NETWORK.name);
  wallet = await watched(key);
  isMadeHere = true;
  scanner = bitcoinScanner(database.db);
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

const watched = (one: CoinKey): Promise<ScannedWallet> => database.db.withOrg(orgId, (tx) => insertWallet(tx, NETWORK.name, one));

function bitcoinScanner(db: Database): Scanner {
  const urls = { [NETWORK.name]: [chain.url] };
  const readers = createReaders(urls);
  const source = createScanSources(urls)(NETWORK.name);
  return scannerOver({
    ...{ db, watchList, network: NETWORK },
    signer: { wasSigned: async ({ signatures }) => ({ wereSigned: signatures.map(() => isMadeHere) }) },
    ...{ source, gateway: createGateways(urls)(NETWORK.name) },
    assetOf: createAssetLookup({ db, readers }, NETWORK),
    earlierCoins: createEarlierCoins({ db, network: NETWORK, source, reader: readers(NETWORK.name) }),
  });
}

const scan = () => scanAll(scanner);
const mine = (blocks = 1) => chain.call('strongroom_mine', blocks);
const rows = () => database.db.read(orgId).rows(MovementEntity, `ORDER BY t.block_height, t.place, t.direction`);
const standing = async () =>
  (await rows())
    .filter(({ status }) => status !== 'Withdrawn')
    .map(({ subjectId, direction, amountUnits, feeUnits }) => `${subjectId} ${direction} ${amountUnits} ${feeUnits ?? '-'}`);
const told = async () =>
  (
    await database.db
      .read(orgId)
      .rows(EventEntity, `WHERE t.kind LIKE 'wallet.blockchain%' ORDER BY t.aggregate_id, t.aggregate_version`)
  ).map(({ kind, aggregateVersion }) => `${kind.split('.').at(-1)} ${aggregateVersion}`);

test('a payment is included, confirmed at the depth of the network, judged once, and reported in the published form', async () => {
  const sender = createCoinKey(chain, NETWORK.name);
  await sender.receive('1');
  await mine();
  await scan();
  const txHash = await sender.pay(wallet.address, 5_000n);
  await mine();
  await scan();
  const [included] = await rows();
  expect(movementView(included as MovementEntity)).toEqual({
    ...{ kind: 'UtxoTransfer', walletId: wallet.walletId, network: NETWORK.name, direction: 'In', status: 'Included', txHash },
    ...{ froms: [sender.address], tos: [wallet.address], value: '5000', blockNumber: Number(included?.blockHeight) },
    timestamp: included?.dateMined.toISOString(),
    metadata: { asset: { symbol: 'BTC', decimals: 8, verified: true } },
  });
  await mine(NETWORK.confirmations - 2);
  await scan();
  expect(await told()).toEqual(['included 1']);
  await mine();
  await scan();
  expect(await told()).toEqual(['included 1', 'detected 2']);
  const judged = await database.db.read(orgId).rows(IncomingTransactionEntity, '');
  expect(judged).toEqual([
    expect.objectContaining({ kind: 'UtxoTransfer', fromAddresses: [sender.address], amountUnits: '5000' }),
  ]);
});

test('a spend that the signer did not make freezes the key of the wallet (S18)', async () => {
  await scan();
  isMadeHere = false;
  await key.receive('1');
  await mine();
  const txHash = await key.pay(createCoinKey(chain, NETWORK.name).address, 7_000n);
  await mine();
  await scan();
  expect(await database.db.read(orgId).rows(FreezeEntity, '')).toEqual([
    expect.objectContaining({ targetKind: 'Key', reason: expect.stringContaining(txHash) }),
  ]);
});

test('a payment by a wallet is found by its coins, including coins of a block that is read in the same step', async () => {
  await scan();
  const other = createCoinKey(chain, NETWORK.name);
  const paid = await watched(other);
  await key.receive('1');
  await mine();
  await key.pay(other.address, 30_000_000n);
  await mine();
  // No output of this payment goes to a watched address, so only the coin in the block before shows that the wallet paid.
  await key.pay(createCoinKey(chain, NETWORK.name).address);
  await mine();
  await scan();
  const rest = COIN - 30_000_000n - 2n * PAYMENT_FEE;
  expect(await standing()).toEqual([
    `${wallet.walletId} In ${COIN} -`,
    `${wallet.walletId} Out 30000000 ${PAYMENT_FEE}`,
    `${paid.walletId} In 30000000 -`,
    `${wallet.walletId} Out ${rest} ${PAYMENT_FEE}`,
  ]);
});

test.each([1, 2, 3, 4])('after a reorganisation of %i blocks the rows match the chain and keep their ids', async (depth) => {
  await scan();
  await key.receive('1');
  await mine();
  await key.pay(createCoinKey(chain, NETWORK.name).address, 7_000n);
  await mine(4);
  await scan();
  const before = await rows();
  await chain.call('strongroom_reorganise', depth);
  await scan();
  await mine(NETWORK.confirmations);
  await scan();
  const after = await rows();
  expect(after.map(({ id, direction, amountUnits, feeUnits }) => ({ id, direction, amountUnits, feeUnits }))).toEqual(
    before.map(({ id, direction, amountUnits, feeUnits }) => ({ id, direction, amountUnits, feeUnits })),
  );
  expect(after.map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed']);
  for (const { blockHash, txHash } of after)
    expect(await chain.call<{ blockhash: string }>('getrawtransaction', txHash, 1)).toMatchObject({ blockhash: blockHash });
});

test.each([1, 2, 3, 4, 5, 6])('a crash after commit %i loses no coin and duplicates no movement', async (commit) => {
  await scan();
  await key.receive('1');
  await mine();
  scanner = bitcoinScanner(dyingAfter(database.db, commit));
  await scan().catch(() => undefined);
  await chain.call('strongroom_reorganise', 1);
  await scan().catch(() => undefined);
  scanner = bitcoinScanner(database.db);
  await scan();
  await key.pay(createCoinKey(chain, NETWORK.name).address);
  await mine();
  await scan();
  expect(await standing()).toEqual([
    `${wallet.walletId} In ${COIN} -`,
    `${wallet.walletId} Out ${COIN - PAYMENT_FEE} ${PAYMENT_FEE}`,
  ]);
});

test('coins that an imported key received earlier are found when they are spent, as soon as these coins are loaded', async () => {
  const older = createCoinKey(chain, NETWORK.name);
  await older.receive('1');
  await mine();
  await scan();
  const imported = await watched(older);
  await database.arrange('UPDATE keys SET is_imported = true WHERE id = (SELECT key_id FROM wallets WHERE id = $1)', [
    imported.walletId,
  ]);
  await waitUntil('the coins of the imported key', async () => {
    await mine();
    await scan();
    const live = `SELECT 1 FROM watched_addresses WHERE subject_id = $1 AND live_from IS NOT NULL`;
    return (await database.db.read(orgId).select(live, [imported.walletId])).length > 0;
  });
  await older.pay(createCoinKey(chain, NETWORK.name).address);
  await mine();
  await scan();
  expect(await standing()).toEqual([`${imported.walletId} Out ${COIN - PAYMENT_FEE} ${PAYMENT_FEE}`]);
});
