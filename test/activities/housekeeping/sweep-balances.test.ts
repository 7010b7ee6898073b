import { randomBytes } from 'node:crypto';
import type { Scanner } from '../../../activities/scans/scanner';
import { withdrawMovements } from '../../../application/movements/settle';
import type { EvmReader } from '../../../chains/evm/types';
import type { ChainReader } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import { balanceSweepStore } from '../../../entities/scans/balance-sweep.store';
import { scanStore } from '../../../entities/scans/scan.store';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { dyingAfter } from '../../support/dying-database';
import { type Housekeeping, openHousekeeping } from '../../support/housekeeping';
import { createScannedWallet, type ScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type Paid, type ScriptedBlocks } from '../../support/scripted-blocks';
import { differencesOf, sweepAll } from '../../support/sweeping';

const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const USDC = NETWORK.tokens[0]?.contract as string;

let house: Housekeeping;
let watchList: WatchList;
let chain: ScriptedBlocks;
let scanner: Scanner;
let wallet: ScannedWallet;
/** The balances that the node states, by address and contract; the contract of the native asset is empty. */
const balances = new Map<string, bigint>();
const asked: { readonly addresses: readonly string[]; readonly blockHash: string }[] = [];
const outcomes: string[] = [];
let isPruned = false;

const reader: Partial<EvmReader> = {
  family: 'evm',
  balancesAt: async (addresses, contracts, blockHash) => {
    asked.push({ addresses, blockHash });
    if (isPruned) throw new AppError('NetworkUnavailable', 'The node states no balance at a past block');
    const of = (address: string, contract: string) => [contract, balances.get(`${address} ${contract}`) ?? 0n] as const;
    return addresses.map((address) => new Map(['', ...contracts].map((contract) => of(address, contract))));
  },
};

beforeEach(async () => {
  for (const one of [balances, asked, outcomes]) Array.isArray(one) ? one.splice(0) : one.clear();
  isPruned = false;
  house = await openHousekeeping({
    networks: [NETWORK.name],
    readers: () => reader as ChainReader,
    sweepObserver: {
      swept: (_, outcome) => outcomes.push(outcome),
      unexplained: (_, cause) => outcomes.push(cause),
    },
  });
  watchList = openWatchList(house.database.relayUrl);
  chain = createScriptedBlocks();
  wallet = await createScannedWallet(house.database.db, await house.database.createOrganization(), NETWORK.name);
  scanner = scannerWith();
  for (let more = 3; more > 0; more -= 1) await mineFinal();
});
afterEach(async () => {
  await watchList?.close();
  await house?.close();
});

const scannerWith = (): Scanner =>
  scannerOver({
    ...{ db: house.database.db, watchList, source: chain.source, gateway: chain.gateway },
    assetOf: async () => ({ symbol: 'X', decimals: 6, verified: true }),
  });
const paid = (set: Partial<Paid> = {}): Paid => ({
  ...{ from: STRANGER, to: wallet.address, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` },
  ...set,
});
const holds = (units: bigint, contract = '', { address } = wallet) => balances.set(`${address} ${contract}`, units);
/** Mines these payments in one block, and then as many blocks as make the block final. */
async function mineFinal(payments: readonly Paid[] = []): Promise<number> {
  const height = chain.mine(payments);
  for (let more = NETWORK.confirmations - 1; more > 0; more -= 1) chain.mine();
  await scanAll(scanner);
  return height;
}
const differences = (of = wallet) => differencesOf(house, { orgId: of.orgId, id: of.walletId });
const scan = () => scanStore.find(house.database.db.read(''), NETWORK.name);

test('a balance that its movements explain is not a difference; a payment that no block contained is a difference, reported once', async () => {
  const from = (await scan())?.confirmedHeight;
  holds(100n);
  expect(await sweepAll(house)).toEqual({ looked: 1, done: 1 });
  holds(107n);
  await mineFinal([paid()]);
  await sweepAll(house);
  expect(await differences()).toEqual([]);
  const explained = (await scan())?.confirmedHeight;
  // The node has left out a payment of 5, and reports a payment of 7.
  holds(119n);
  await mineFinal([paid()]);
  await sweepAll(house);
  const upTo = (await scan())?.confirmedHeight;
  expect(await differences()).toEqual([`native ${explained}..${upTo}: 114, 119, Unexplained`]);
  expect(from).toBeLessThan(explained ?? 0);
  expect(house.lines().filter((line) => line.startsWith('error: ALARM: the balance of an address differs'))).toHaveLength(1);
  expect(outcomes).toEqual(['Compared', 'Compared', 'Compared', 'Unexplained']);
  await mineFinal();
  await sweepAll(house);
  expect(await differences()).toHaveLength(1);
  expect((await scan())?.unexplained).toBe(1);
  expect((await scan())?.sweptHeight).toBe((await scan())?.confirmedHeight);
});

test('outgoing payments and fees lower the expected balance, and tokens are compared apart from the coin', async () => {
  for (const [units, contract] of [
    [100n, ''],
    [50n, USDC],
  ] as const)
    holds(units, contract);
  await sweepAll(house);
  const sent = paid({ from: wallet.address, to: STRANGER, amountUnits: 30n });
  const token = paid({ contract: USDC, amountUnits: 4n });
  await mineFinal([sent, token]);
  await house.upset(`UPDATE movements SET fee_units = 2 WHERE direction = 'Out'`);
  for (const [units, contract] of [
    [68n, ''],
    [54n, USDC],
  ] as const)
    holds(units, contract);
  await sweepAll(house);
  expect(await differences()).toEqual([]);
  await mineFinal();
  holds(53n, USDC);
  await sweepAll(house);
  expect(await differences()).toEqual([expect.stringMatching(`^${USDC} .*: 54, 53, Unexplained$`)]);
});

test('a payment that is not final yet is not expected yet', async () => {
  holds(100n);
  await sweepAll(house);
  await mineFinal();
  chain.mine([paid()]);
  await scanAll(scanner);
  await sweepAll(house);
  expect(await differences()).toEqual([]);
  expect(asked.at(-1)?.blockHash).toBe(
    chain.blocks.find(({ height }) => height === chain.blocks.length - NETWORK.confirmations)?.hash,
  );
});

test('without traces, a difference of the coin has the cause Untraced, and a difference of a token has the cause Unexplained', async () => {
  for (const contract of ['', USDC]) holds(10n, contract);
  await sweepAll(house);
  await mineFinal();
  await house.upset(`UPDATE chain_blocks SET sight = 'Transactions' WHERE height = (SELECT confirmed_height FROM scans)`);
  for (const contract of ['', USDC]) holds(11n, contract);
  await sweepAll(house);
  expect((await differences()).map((line) => line.split(', ').at(-1))).toEqual(['Untraced', 'Unexplained']);
  // The blocks of the next comparison have traces.
  await mineFinal();
  holds(12n);
  await sweepAll(house);
  expect((await differences()).at(-1)).toMatch(/: 11, 12, Unexplained$/);
});

test('differences of an asset whose balance changes by itself are recorded three times, and are then only counted', async () => {
  holds(0n);
  await sweepAll(house);
  for (let units = 1n; units <= 5n; units += 1n) {
    await mineFinal();
    holds(units);
    await sweepAll(house);
  }
  expect(await differences()).toHaveLength(3);
  const summary = await balanceSweepStore.summaryOf(house.database.db.read(wallet.orgId), wallet.walletId);
  expect(summary).toEqual({ count: 5, lastHeight: (await scan())?.confirmedHeight });
  expect(outcomes.filter((outcome) => outcome === 'Unexplained')).toHaveLength(3);
  await house.upset(`UPDATE balance_differences SET date_found = date_found - interval '31 days'`);
  await mineFinal();
  holds(9n);
  await sweepAll(house);
  expect(await differences()).toHaveLength(4);
});

test('if the node lacks the state of the block, nothing is compared, the log reports this, and the node is asked again later', async () => {
  holds(100n);
  await sweepAll(house);
  await mineFinal();
  holds(101n);
  isPruned = true;
  expect(await sweepAll(house)).toEqual({ looked: 0, done: 0 });
  expect([outcomes.at(-1), house.lines().at(-1)]).toEqual(['Unread', 'warn: the balances of addresses could not be compared']);
  isPruned = false;
  expect(await house.keep('sweep-balances')).toEqual({ looked: 0, done: 0 });
  await sweepAll(house);
  expect(await differences()).toHaveLength(1);
});

test('an address is compared again after an hour, or after ten minutes if one of its movements was confirmed', async () => {
  const minutes = async () => {
    const [row] = await house.database.db
      .read(wallet.orgId)
      .select<{ minutes: number }>(
        `SELECT extract(epoch FROM date_sweep_due - clock_timestamp())::float8 / 60 AS minutes FROM watched_addresses`,
      );
    return Math.round(row?.minutes ?? 0);
  };
  await sweepAll(house);
  expect([await minutes(), await house.keep('sweep-balances')]).toEqual([60, { looked: 0, done: 0 }]);
  await mineFinal([paid()]);
  expect(await minutes()).toBe(10);
  await mineFinal([paid()]);
  expect(await minutes()).toBe(10);
  isPruned = true;
  await sweepAll(house);
  expect(await minutes()).toBe(10);
});

test('a reorganisation of confirmed blocks starts the comparison from its beginning, so that no difference is invented', async () => {
  holds(107n);
  await mineFinal([paid()]);
  await sweepAll(house);
  chain.drop(NETWORK.confirmations + 1);
  holds(100n);
  await mineFinal();
  await mineFinal();
  await sweepAll(house);
  expect(await differences()).toEqual([]);
  await mineFinal();
  holds(99n);
  await sweepAll(house);
  expect(await differences()).toHaveLength(1);
});

test('balances at a block that leaves the chain during the reading are dropped', async () => {
  holds(100n);
  await sweepAll(house);
  await mineFinal();
  holds(999n);
  const { balancesAt } = reader;
  reader.balancesAt = async (...parts: Parameters<EvmReader['balancesAt']>) => {
    const found = await (balancesAt as EvmReader['balancesAt'])(...parts);
    chain.drop(NETWORK.confirmations + 1);
    for (let more = NETWORK.confirmations + 2; more > 0; more -= 1) chain.mine();
    await scanAll(scanner);
    return found;
  };
  expect(await sweepAll(house)).toEqual({ looked: 1, done: 0 });
  reader.balancesAt = balancesAt as EvmReader['balancesAt'];
  expect(await differences()).toEqual([]);
});

test('a watch that was archived for a time is compared only with movements after its gap', async () => {
  holds(100n);
  await sweepAll(house);
  await house.upset(`UPDATE watched_addresses SET subject_kind = 'AddressWatch'`);
  const active = (is: boolean) =>
    house.database.db.withOrg(wallet.orgId, (tx) => tx.query('UPDATE watched_addresses SET is_active = $1', [is]));
  await active(false);
  await mineFinal([paid()]);
  holds(107n);
  expect(await sweepAll(house)).toEqual({ looked: 0, done: 0 });
  await active(true);
  await scanAll(scanner);
  await mineFinal();
  await mineFinal();
  await sweepAll(house);
  expect(await differences()).toEqual([]);
  expect(asked).toHaveLength(2);
});

test('after a crash at any commit, the difference is found, and no difference is reported twice', async () => {
  holds(100n);
  await sweepAll(house);
  await mineFinal();
  holds(101n);
  for (const commits of [0, 1]) {
    const dying = await openHousekeeping({
      database: { ...house.database, db: dyingAfter(house.database.db, commits) },
      ...{ networks: [NETWORK.name], readers: () => reader as ChainReader },
    });
    await sweepAll(dying).catch(() => undefined);
    await dying.store.close();
  }
  await sweepAll(house);
  expect(await differences()).toHaveLength(1);
});

test('all balances of a page belong to one block, and an address that was altered in the database does not affect the others', async () => {
  const { orgId } = wallet;
  const others = await Promise.all(
    [orgId, await house.database.createOrganization()].map((id) => createScannedWallet(house.database.db, id, NETWORK.name)),
  );
  await scanAll(scanner);
  await mineFinal();
  await house.upset('UPDATE watched_addresses SET address = $1 WHERE subject_id = $2', ['nonsense', wallet.walletId]);
  expect(await sweepAll(house)).toEqual({ looked: 3, done: 2 });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.addresses.toSorted()).toEqual(others.map(({ address }) => address).toSorted());
  await mineFinal();
  holds(1n, '', others[1]);
  await sweepAll(house);
  expect([await differences(others[0]), (await differences(others[1])).length]).toEqual([[], 1]);
  expect(await differencesOf(house, { orgId, id: others[1]?.walletId ?? '' })).toEqual([]);
});

test('a withdrawn movement is not included in the expected balance', async () => {
  holds(100n);
  await sweepAll(house);
  const height = await mineFinal([paid()]);
  await house.database.db.withOrg(wallet.orgId, (tx) => withdrawMovements(tx, NETWORK.name, height, new Date(0)));
  await sweepAll(house);
  expect(await differences()).toEqual([]);
});
