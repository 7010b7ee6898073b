import { address, createNoopSigner, lamports } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { createAssetLookup } from '../../../activities/scans/matches';
import type { Scanner } from '../../../activities/scans/scanner';
import { movementView } from '../../../application/movements/view';
import { createGateways } from '../../../chains/gateways';
import { networkOf } from '../../../chains/networks';
import { createReaders } from '../../../chains/readers';
import { createScanSources } from '../../../chains/scan-sources';
import { EventEntity } from '../../../entities/events/event.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { startBank, type TestBank } from '../../local/solana/bank';
import { keyOf, makeToken, sendAs } from '../../local/solana/tokens';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createScannedWallet, type ScannedWallet } from '../../support/scanned-wallets';
import { scanAll, scannerOver } from '../../support/scanning';

const NETWORK = networkOf('SolanaDevnet');
const payer = keyOf(1);
const SOL = 1_000_000_000;

let bank: TestBank;
let database: TestDatabase;
let watchList: WatchList;
let wallet: ScannedWallet;
let scanner: Scanner;

beforeEach(async () => {
  bank = await startBank();
  bank.call('requestAirdrop', payer.address, 10 * SOL);
  bank.call('strongroom_advanceSlots', 8);
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  wallet = await createScannedWallet(database.db, await database.createOrganization(), NETWORK.name);
  const urls = { [NETWORK.name]: [bank.url] };
  scanner = scannerOver({
    ...{ db: database.db, watchList, network: NETWORK },
    source: createScanSources(urls)(NETWORK.name),
    gateway: createGateways(urls)(NETWORK.name),
    assetOf: createAssetLookup({ db: database.db, readers: createReaders(urls) }, NETWORK),
  });
  await scan();
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
  await bank?.close();
});

const scan = () => scanAll(scanner);
const rows = () => database.db.read(wallet.orgId).rows(MovementEntity, 'ORDER BY t.block_height, t.place');
const told = async () =>
  (
    await database.db.read(wallet.orgId).rows(EventEntity, `WHERE t.kind LIKE 'wallet.blockchain%' ORDER BY t.aggregate_version`)
  ).map(({ kind }) => kind.split('.').at(-1));
const pay = (amount: number) =>
  sendAs(
    bank.call,
    [payer],
    [
      getTransferSolInstruction({
        ...{ source: createNoopSigner(payer.address), destination: address(wallet.address), amount: lamports(BigInt(amount)) },
      }),
    ],
  );

test('a payment is included in a confirmed block, and confirmed in a finalized one', async () => {
  await pay(SOL);
  while ((await rows()).length === 0) {
    bank.call('strongroom_advanceSlots', 1);
    await scan();
  }
  expect((await rows()).map(({ status }) => status)).toEqual(['Included']);
  expect(await told()).toEqual(['included']);
  bank.call('strongroom_advanceSlots', 8);
  await scan();
  const [row] = await rows();
  expect(await told()).toEqual(['included', 'detected']);
  expect(movementView(row as MovementEntity)).toMatchObject({
    ...{ kind: 'NativeTransfer', direction: 'In', status: 'Confirmed', value: String(SOL), decimals: 9, symbol: 'SOL' },
    ...{ from: payer.address, to: wallet.address, metadata: { asset: { symbol: 'SOL', decimals: 9, verified: true } } },
  });
});

test('tokens of both programs are in the history with the decimals of the block, across slots without a block', async () => {
  const plain = { program: 'Spl', mint: keyOf(41), owner: wallet.address, amount: 1_500_000n } as const;
  const newer = { program: 'Spl2022', extension: 'fee', mint: keyOf(42), owner: wallet.address, amount: 2_500_000n } as const;
  const mints = [await makeToken(bank.call, plain), await makeToken(bank.call, newer)];
  bank.call('strongroom_advanceSlots', 40);
  await scan();
  expect((await rows()).map(movementView)).toEqual([
    expect.objectContaining({ kind: 'SplTransfer', mint: mints[0], value: '1500000', to: wallet.address, status: 'Confirmed' }),
    expect.objectContaining({
      kind: 'Spl2022Transfer',
      mint: mints[1],
      value: '2500000',
      to: wallet.address,
      status: 'Confirmed',
    }),
  ]);
  expect((await rows()).map(({ decimals, isVerified }) => [decimals, isVerified])).toEqual([
    [6, false],
    [6, false],
  ]);
});

test('a token is recorded without decimals if its decimals in the block differ from the pinned decimals', async () => {
  const mint = await makeToken(bank.call, { program: 'Spl', mint: keyOf(43), owner: wallet.address, amount: 7n });
  await database.arrange(`INSERT INTO tokens (network, contract, decimals) VALUES ($1, $2, 9)`, [NETWORK.name, mint]);
  bank.call('strongroom_advanceSlots', 8);
  await scan();
  expect(await rows()).toEqual([
    expect.objectContaining({ contract: mint, amountUnits: '7', decimals: null, isVerified: false }),
  ]);
});
