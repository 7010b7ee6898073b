import { createEarlierCoins } from '../../../activities/scans/earlier-coins';
import type { Scanner } from '../../../activities/scans/scanner';
import { codecOf } from '../../../chains/codecs';
import { createGateways } from '../../../chains/gateways';
import { networkOf } from '../../../chains/networks';
import { createReaders } from '../../../chains/readers';
import { createScanSources } from '../../../chains/scan-sources';
import type { Database } from '../../../entities/database';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { startTestCoinChain, type TestCoinChain } from '../coin-chain';
import { createTestDatabase, type TestDatabase } from '../database';
import { createDice } from '../dice';
import { dyingAfter } from '../dying-database';
import { insertWallet } from '../scanned-wallets';
import { scanAll, scannerOver } from '../scanning';
import { COMMITS_MAX, type Comparison, scanUntilKilled } from './comparison';
import { naiveCoinMovements } from './naive-coins';
import { type NaiveMovement, type NaiveSubject, naiveLines } from './naive-movement';
import { type CoinAccount, type RandomCoinChain, startRandomCoinChain } from './random-coin-chain';
import { eventFaults, recordedLines } from './recorded';

const NETWORK = networkOf('BitcoinSignet');
const PREFIX = 'tb';

type Run = {
  readonly database: TestDatabase;
  readonly chain: RandomCoinChain;
  readonly roll: (sides: number) => number;
  readonly subjects: NaiveSubject[];
  readonly scannerWith: (db: Database) => Scanner;
};

const scannersOver =
  ({ url }: TestCoinChain, watchList: WatchList) =>
  (db: Database): Scanner => {
    const urls = { [NETWORK.name]: [url] };
    const source = createScanSources(urls)(NETWORK.name);
    return scannerOver({
      ...{ db, watchList, source, network: NETWORK, gateway: createGateways(urls)(NETWORK.name) },
      signer: { wasSigned: async ({ signatures }) => ({ wereSigned: signatures.map(() => true) }) },
      earlierCoins: createEarlierCoins({ db, network: NETWORK, source, reader: createReaders(urls)(NETWORK.name) }),
    });
  };

async function addWallet({ database, subjects }: Run, orgId: string, { publicKey, address }: CoinAccount, from: number) {
  const { walletId } = await database.db.withOrg(orgId, (tx) => insertWallet(tx, NETWORK.name, { publicKey, address }));
  subjects.push({ orgId, subjectId: walletId, address, during: [{ from, to: Number.POSITIVE_INFINITY }] });
}

async function play(run: Run, node: TestCoinChain, orgId: string, blocks: number): Promise<void> {
  const { chain, roll, scannerWith, database } = run;
  let scanner = scannerWith(database.db);
  await scanAll(scanner);
  let barrier = await node.call<number>('getblockcount');
  const start = barrier;
  let isJoined = false;
  for (let height = start; height < start + blocks; height = await node.call<number>('getblockcount')) {
    if (!isJoined && height > start + blocks / 2) {
      await scanAll(scanner);
      await addWallet(run, orgId, chain.accounts.at(-1) as CoinAccount, height + 1);
      chain.admitLast();
      [isJoined, barrier] = [true, height];
    }
    const action = roll(12);
    if (action < 7) await chain.mine();
    else if (action === 7 && height - barrier > 3) await chain.reorganise(1 + roll(3));
    else if (action === 8) {
      await scanUntilKilled(scannerWith(dyingAfter(database.db, 1 + roll(COMMITS_MAX))));
      scanner = scannerWith(database.db);
    } else await scanAll(scanner);
  }
  await chain.mine();
  await scanAll(scanner);
}

async function unexplained({ chain, subjects }: Run, movements: readonly NaiveMovement[]): Promise<string[]> {
  const faults: string[] = [];
  for (const account of chain.accounts.filter(({ address }) => subjects.some((one) => one.address === address))) {
    const held = await chain.balanceOf(account);
    const said = movements
      .filter((one) => one.address === account.address)
      .reduce((sum, { direction, amount, fee }) => sum + (direction === 'In' ? 1n : -1n) * BigInt(amount) - BigInt(fee || 0), 0n);
    if (held !== said) faults.push(`${account.address} has ${held} instead of ${said}`);
  }
  return faults;
}

/** Follows a random chain with the real scanner, and asks the node again about every block at the end. */
export async function compareOnBitcoin(seed: number, blocks: number): Promise<Comparison> {
  const roll = createDice(seed);
  const node = await startTestCoinChain('bitcoin');
  const database = await createTestDatabase();
  const watchList = openWatchList(database.relayUrl);
  try {
    const chain = await startRandomCoinChain(node, roll, codecOf(NETWORK.name).addressOf);
    const run: Run = { database, chain, roll, subjects: [], scannerWith: scannersOver(node, watchList) };
    const orgIds = [await database.createOrganization(), await database.createOrganization()] as const;
    const [first, second, third] = chain.accounts as readonly CoinAccount[] as [CoinAccount, CoinAccount, CoinAccount];
    for (const account of [first, second]) await addWallet(run, orgIds[0], account, 1);
    for (const account of [second, third]) await addWallet(run, orgIds[1], account, 1);
    await play(run, node, orgIds[0], blocks);
    const watched = run.subjects.map(({ address }) => address);
    const movements: NaiveMovement[] = [];
    const head = await node.call<number>('getblockcount');
    for (let height = 1; height <= head; height += 1)
      movements.push(...(await naiveCoinMovements(node, height, PREFIX, watched)));
    return {
      naive: naiveLines(run.subjects, movements, head - NETWORK.confirmations + 1),
      recorded: await recordedLines(database, run.subjects),
      unexplained: await unexplained(run, movements),
      eventFaults: await eventFaults(database, orgIds),
    };
  } finally {
    await watchList.close();
    await database.close();
    await node.close();
  }
}
