import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scanner } from '../../../activities/scans/scanner';
import { scanStatus } from '../../../application/networks/scan-status';
import { createGateways } from '../../../chains/gateways';
import { createScanSources } from '../../../chains/scan-sources';
import type { ScanSource } from '../../../chains/types';
import type { Database } from '../../../entities/database';
import { EventEntity } from '../../../entities/events/event.entity';
import { IncomingTransactionEntity } from '../../../entities/incoming-transactions/incoming-transaction.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { FAUCET, startAnvil } from '../../chains/evm/anvil';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';
import { createScannedWallet, type ScannedWallet } from '../../support/scanned-wallets';
import { SCANNED as NETWORK, scanAll, scannerOver } from '../../support/scanning';
import { createScriptedBlocks, type Paid, type ScriptedBlocks } from '../../support/scripted-blocks';

jest.setTimeout(240_000);
const BLOCK_MS = 12_000;
const TWO_DAYS_MS = 172_800_000;
const OUTAGE_BLOCKS = TWO_DAYS_MS / BLOCK_MS;
/** A scanner reads this number of blocks in a step. */
const AT_ONCE = 16;
const STRANGER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';

let database: TestDatabase;
let watchList: WatchList;
let wallets: readonly [ScannedWallet, ScannedWallet];

beforeEach(async () => {
  database = await createTestDatabase();
  watchList = openWatchList(database.relayUrl);
  const [one, other] = [await database.createOrganization(), await database.createOrganization()];
  wallets = [
    await createScannedWallet(database.db, one, NETWORK.name),
    await createScannedWallet(database.db, other, NETWORK.name),
  ];
});
afterEach(async () => {
  await watchList?.close();
  await database?.close();
});

/** The movements of a wallet, oldest first, each with its events and with the judgement of a payment that came in. */
async function historyOf({ orgId, walletId }: ScannedWallet): Promise<string[]> {
  const reader = database.db.read(orgId);
  const rows = await reader.rows(MovementEntity, 'WHERE t.subject_id = $1 ORDER BY t.block_height, t.place', [walletId]);
  const events = await reader.rows(EventEntity, `WHERE t.kind LIKE 'wallet.blockchain%' ORDER BY t.aggregate_version`);
  const judged = await reader.rows(IncomingTransactionEntity, '');
  return rows.map(({ id, status, direction, amountUnits, blockHeight, txHash }) => {
    const kinds = events.filter(({ aggregateId }) => aggregateId === id).map(({ kind }) => kind.split('.').at(-1));
    const judgements = judged.filter((one) => one.txHash === txHash).length;
    return `${blockHeight} ${direction} ${amountUnits} ${status}: ${kinds.join(', ')}, judged ${judgements} times`;
  });
}
const settled = (height: number, direction: 'In' | 'Out', amountUnits: bigint) =>
  `${height} ${direction} ${amountUnits} Confirmed: included, detected, judged ${direction === 'In' ? 1 : 0} times`;

type Counted = { heads: number; blocks: number; confirmed: number };

function scriptedScanner(chain: ScriptedBlocks, counted: Counted, db: Database): Scanner {
  const source: ScanSource = {
    ...chain.source,
    head: () => {
      counted.heads += 1;
      return chain.source.head();
    },
    block: (height) => {
      counted.blocks += 1;
      return chain.source.block(height);
    },
  };
  const gateway = {
    block: (height: number) => {
      counted.confirmed += 1;
      return chain.gateway.block(height);
    },
  };
  return scannerOver({ db, watchList, source, gateway });
}

test('after an outage of two days, each payment is in the history once and final, and each block was read once', async () => {
  const chain = createScriptedBlocks(new Date(Date.now() - TWO_DAYS_MS), BLOCK_MS);
  const counted: Counted = { heads: 0, blocks: 0, confirmed: 0 };
  const [first, second] = wallets;
  const paid = (set: Partial<Paid>): Paid => ({
    ...{ from: STRANGER, amountUnits: 7n, txHash: `0x${randomBytes(32).toString('hex')}` },
    ...set,
  });
  await scanAll(scriptedScanner(chain, counted, database.db));
  // Included before the outage, and final only during the outage.
  const before = chain.mine([paid({ to: first.address })]);
  await scanAll(scriptedScanner(chain, counted, database.db));
  expect(await historyOf(first)).toEqual([`${before} In 7 Included: included, judged 0 times`]);
  const expected: { readonly of: ScannedWallet; readonly line: string }[] = [{ of: first, line: settled(before, 'In', 7n) }];
  for (let at = 1; at <= OUTAGE_BLOCKS; at += 1) {
    const isFull = at === 1 || at === OUTAGE_BLOCKS || at % 400 === 0;
    const amountUnits = BigInt(at);
    const height = chain.mine(
      isFull ? [paid({ to: first.address, amountUnits }), paid({ from: first.address, to: second.address, amountUnits })] : [],
    );
    if (!isFull) continue;
    expected.push({ of: first, line: settled(height, 'In', amountUnits) });
    expected.push({ of: first, line: settled(height, 'Out', amountUnits) });
    expected.push({ of: second, line: settled(height, 'In', amountUnits) });
  }
  for (let more = NETWORK.confirmations - 1; more > 0; more -= 1) chain.mine();
  Object.assign(counted, { heads: 0, blocks: 0, confirmed: 0 });
  // The process also dies while it catches up.
  await expect(scanAll(scriptedScanner(chain, counted, dyingAfter(database.db, OUTAGE_BLOCKS / AT_ONCE)))).rejects.toThrow(
    'killed',
  );
  await scanAll(scriptedScanner(chain, counted, database.db));

  for (const wallet of wallets)
    expect(await historyOf(wallet)).toEqual(expected.filter(({ of }) => of === wallet).map(({ line }) => line));
  const height = chain.blocks.at(-1)?.height ?? 0;
  expect((await scanStatus(database.db, NETWORK.name)).scan).toMatchObject({ isComplete: true, scannedTo: { height } });
  const missed = OUTAGE_BLOCKS + NETWORK.confirmations - 1;
  const steps = Math.ceil(missed / AT_ONCE) + 2;
  expect(counted.blocks).toBeLessThanOrEqual(missed + AT_ONCE);
  expect(counted.heads).toBeLessThanOrEqual(steps);
  expect(counted.confirmed).toBeLessThanOrEqual(steps);
});

/** Passes everything on to the node, and counts the calls. */
async function countingNode(url: string): Promise<{ readonly url: string; readonly server: Server; readonly calls: string[] }> {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    calls.push((JSON.parse(body) as { method: string }).method);
    const reply = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    response.end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, calls };
}

test('a real node is asked once about each missed block, and twice more about a block that is not empty', async () => {
  const anvil = await startAnvil();
  const { url, server, calls } = await countingNode(anvil.url);
  const urls = { [NETWORK.name]: [url] };
  const scanner = () =>
    scannerOver({
      ...{ db: database.db, watchList },
      ...{ source: createScanSources(urls)(NETWORK.name), gateway: createGateways(urls)(NETWORK.name) },
    });
  try {
    await scanAll(scanner());
    calls.length = 0;
    const [wallet] = wallets;
    const payments = 5;
    const empty = 64;
    for (let more = payments; more > 0; more -= 1) {
      await anvil.order('anvil_mine', `0x${empty.toString(16)}`, '0xc');
      await anvil.order('eth_sendTransaction', { from: FAUCET, to: wallet.address, value: `0x${more.toString(16)}` });
    }
    await anvil.order('anvil_mine', `0x${empty.toString(16)}`, '0xc');
    await scanAll(scanner());
    const heights = Array.from({ length: payments }, (_, at) => (at + 1) * (empty + 1));
    expect(await historyOf(wallet)).toEqual(heights.map((height, at) => settled(height, 'In', BigInt(payments - at))));
    const blocks = payments * (empty + 1) + empty;
    const steps = Math.ceil(blocks / AT_ONCE) + 1;
    // A step asks for the head, and for the block that it confirms.
    expect(calls.length).toBeLessThanOrEqual(blocks + 2 * payments + 2 * steps + NETWORK.confirmations);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await anvil.stop();
  }
});
