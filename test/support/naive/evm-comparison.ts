import type { Scanner } from '../../../activities/scans/scanner';
import { createGateways } from '../../../chains/gateways';
import { createScanSources } from '../../../chains/scan-sources';
import { addressWatchStore } from '../../../entities/address-watches/address-watch.store';
import type { Database } from '../../../entities/database';
import { openWatchList } from '../../../entities/scans/watch-list';
import { newId } from '../../../platform/ids';
import { startAnvil } from '../../chains/evm/anvil';
import { createTestDatabase, type TestDatabase } from '../database';
import { createDice, type Dice } from '../dice';
import { dyingAfter } from '../dying-database';
import { insertWallet } from '../scanned-wallets';
import { SCANNED, scanAll, scannerOver } from '../scanning';
import { COMMITS_MAX, type Comparison, scanUntilKilled } from './comparison';
import { naiveEvmMovements } from './naive-evm';
import { type NaiveMovement, type NaiveSubject, naiveLines } from './naive-movement';
import { type RandomEvmChain, startRandomEvmChain } from './random-evm-chain';
import { eventFaults, recordedLines } from './recorded';

type Run = {
  readonly database: TestDatabase;
  readonly chain: RandomEvmChain;
  readonly roll: Dice;
  readonly subjects: NaiveSubject[];
  readonly scannerWith: (db: Database) => Scanner;
};

const BALANCE_OF = '0x70a08231';

/** The changes during a run. `after` is the fraction of the blocks after which the change happens. */
const PLAN = [
  { after: 0.3, change: 'create' },
  { after: 0.5, change: 'archive' },
  { after: 0.7, change: 'revive' },
] as const;

async function addWallet({ database, subjects, chain }: Run, orgId: string, account: number, from: number): Promise<void> {
  const { address, publicKey } = chain.accounts[account] ?? chain.accounts[0];
  const made = { address, publicKey: publicKey.slice(2) };
  const { walletId } = await database.db.withOrg(orgId, (tx) => insertWallet(tx, SCANNED.name, made));
  subjects.push({ orgId, subjectId: walletId, address, during: [{ from, to: Number.POSITIVE_INFINITY }] });
}

async function addWatch({ database, subjects }: Run, orgId: string, address: string): Promise<void> {
  const id = newId('addressWatch');
  const more = { name: null, externalId: null, tags: [], requestDigest: 'dd' };
  await database.db.withOrg(orgId, (tx) => addressWatchStore.add(tx, { id, network: 'EthereumSepolia', address, ...more }));
  subjects.push({ orgId, subjectId: id, address, during: [{ from: 1, to: Number.POSITIVE_INFINITY }] });
}

/** Every change happens while the scanner is at the head, so the test knows the first block to which the change applies. */
async function change({ database, chain, subjects }: Run, what: 'archive' | 'revive', subjectId: string): Promise<void> {
  const at = subjects.findIndex((one) => one.subjectId === subjectId);
  const subject = subjects[at] as NaiveSubject;
  const height = chain.height();
  await database.db.withOrg(subject.orgId, (tx) =>
    what === 'archive'
      ? addressWatchStore.archive(tx, subjectId)
      : addressWatchStore.revive(tx, subjectId, { requestDigest: 'ee' }),
  );
  const during =
    what === 'archive'
      ? subject.during.map(({ from }) => ({ from, to: height }))
      : [...subject.during, { from: height + 1, to: Number.POSITIVE_INFINITY }];
  subjects[at] = { ...subject, during };
}

async function play(run: Run, orgIds: readonly [string, string], blocks: number): Promise<void> {
  const { chain, roll, subjects, scannerWith, database } = run;
  let scanner = scannerWith(database.db);
  let barrier = chain.height();
  const plan = [...PLAN];
  const start = barrier;
  const watch = subjects.findLast(({ subjectId }) => subjectId.startsWith('aw-'))?.subjectId ?? '';
  for (let height = barrier; height < start + blocks; height = chain.height()) {
    const [next] = plan;
    if (next && height - start >= next.after * blocks) {
      plan.shift();
      await scanAll(scanner);
      if (next.change === 'create') await addWallet(run, orgIds[1], 5, height + 1);
      else await change(run, next.change, watch);
      barrier = height;
    }
    const action = roll(12);
    if (action < 7) await chain.mine(roll(6) === 0);
    else if (action === 7 && height - barrier > 3) await chain.reorganise(1 + roll(3));
    else if (action === 8) {
      await scanUntilKilled(scannerWith(dyingAfter(database.db, 1 + roll(COMMITS_MAX))));
      scanner = scannerWith(database.db);
    } else await scanAll(scanner);
  }
  await chain.mine(true);
  await scanAll(scanner);
}

/** The differences between the balances of the node and the sums of the naive movements, for each block and address. */
async function unexplained({ chain, subjects }: Run, movements: ReadonlyMap<number, readonly NaiveMovement[]>) {
  const addresses = [...new Set(subjects.map(({ address }) => address))];
  const heights = [...movements.keys()];
  const asked = [(heights[0] ?? 1) - 1, ...heights].flatMap((height) =>
    addresses.map((address) => ['eth_getBalance', address, `0x${height.toString(16)}`] as const),
  );
  const balances = (await chain.node.askAll<string>(asked)).map(BigInt);
  return heights.flatMap((height, at) =>
    addresses.flatMap((address, index) => {
      const change = (balances[(at + 1) * addresses.length + index] ?? 0n) - (balances[at * addresses.length + index] ?? 0n);
      const own = (movements.get(height) ?? []).filter((one) => one.address === address && one.kind === 'NativeTransfer');
      const said = own.reduce(
        (sum, { direction, amount, fee }) => sum + (direction === 'In' ? 1n : -1n) * BigInt(amount) - BigInt(fee || 0),
        0n,
      );
      return change === said ? [] : [`${address} at ${height}: ${change} instead of ${said}`];
    }),
  );
}

/** Like `unexplained`, but for the token. The movements contain every transfer of the token since its creation. */
async function unexplainedTokens({ chain, subjects }: Run, movements: readonly NaiveMovement[]): Promise<string[]> {
  const { token } = chain.contracts;
  const addresses = [...new Set(subjects.map(({ address }) => address))];
  const held = await chain.node.askAll<string>(
    addresses.map((address) => ['eth_call', { to: token, data: BALANCE_OF + address.slice(2).padStart(64, '0') }, 'latest']),
  );
  return addresses.flatMap((address, at) => {
    const own = movements.filter((one) => one.address === address && one.contract === token);
    const said = own.reduce((sum, { direction, amount }) => sum + (direction === 'In' ? 1n : -1n) * BigInt(amount), 0n);
    return BigInt(held[at] ?? 0) === said ? [] : [`${address} has ${held[at]} tokens instead of ${said}`];
  });
}

/** Follows a random chain with the real scanner, and asks the node again about every block at the end. */
export async function compareOnEvm(seed: number, blocks: number): Promise<Comparison> {
  const roll = createDice(seed);
  const anvil = await startAnvil();
  const database = await createTestDatabase();
  const watchList = openWatchList(database.relayUrl);
  try {
    const chain = await startRandomEvmChain(anvil, roll);
    const urls = { [SCANNED.name]: [anvil.url] };
    const scannerWith = (db: Database): Scanner =>
      scannerOver({
        ...{ db, watchList, source: createScanSources(urls)(SCANNED.name), gateway: createGateways(urls)(SCANNED.name) },
        signer: { wasSigned: async ({ signatures }) => ({ wereSigned: signatures.map(() => true) }) },
      });
    const run: Run = { database, chain, roll, subjects: [], scannerWith };
    const orgIds = [await database.createOrganization(), await database.createOrganization()] as const;
    for (const account of [1, 2, 3]) await addWallet(run, orgIds[0], account, 1);
    for (const account of [3, 4]) await addWallet(run, orgIds[1], account, 1);
    await addWatch(run, orgIds[0], chain.contracts.runner);
    await addWatch(run, orgIds[1], chain.accounts[6]?.address ?? '');
    await play(run, orgIds, blocks);
    const watched = run.subjects.map(({ address }) => address);
    const byHeight = new Map<number, readonly NaiveMovement[]>();
    const head = chain.height();
    for (let height = 1; height <= head; height += 1) byHeight.set(height, await naiveEvmMovements(chain.node, height, watched));
    const movements = [...byHeight.values()].flat();
    return {
      naive: naiveLines(run.subjects, movements, head - SCANNED.confirmations + 1),
      recorded: await recordedLines(database, run.subjects),
      unexplained: [...(await unexplained(run, byHeight)), ...(await unexplainedTokens(run, movements))],
      eventFaults: await eventFaults(database, orgIds),
    };
  } finally {
    await watchList.close();
    await database.close();
    await anvil.stop();
  }
}
