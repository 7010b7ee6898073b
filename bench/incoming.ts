import { setTimeout as delay } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { z } from 'zod';
import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { plainChain, SCANNED } from './paced-chain';
import { percentile } from './percentiles';
import { startProgram } from './program';
import type { ReceiverAnswer, ReceiverOrder } from './receiver-process';
import { type Stack, startStack } from './stack';
import { wallClock } from './webhooks';

const PER_BLOCK = 50;
const BLOCK_MS = 1_000;
const BLOCKS = 120;
const WARM_UP_BLOCKS = 10;
const INCLUDED_P99_MS = 500;
const TOLD_P99_MS = 700;
const ENDS_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 5;
const CREATED_AT_ONCE = 8;
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const EVENT = 'wallet.blockchain_event.transfer.included';

const Wallet = z.object({ id: z.string(), address: z.string() });

/** Measures fifty payments a second: the time from a block until its movements are committed, and until the webhook arrives. */
export const incoming: Bench = {
  name: 'incoming',
  run: async ({ size, say }) => {
    const chain = await plainChain(['--no-mining']);
    const nodes = { NETWORK_RPC_URLS: JSON.stringify({ [SCANNED]: [chain.url] }) };
    const stack = await startStack({
      kind: 'embedded',
      say,
      moreEnv: (role) => (role === 'api' || role === 'worker' ? nodes : {}),
    });
    const postgres = new PostgresClient({ connectionString: stack.superuserUrl });
    const receiver = startProgram<ReceiverOrder, ReceiverAnswer>('receiver-process');
    try {
      await postgres.connect();
      const { url } = await receiver.ask({ order: 'open', key: 'txHash' });
      await stack.client('admin').change('POST', '/webhooks', { url, events: [EVENT], description: 'bench' }, z.unknown());
      // Each wallet that is older than the first scanned block would start a back-fill.
      await createWallets(stack, 1);
      await until('the scanner has begun', async () => {
        await chain.rpc('evm_mine');
        const { rowCount } = await postgres.query('SELECT FROM chain_blocks WHERE network = $1', [SCANNED]);
        return (rowCount ?? 0) > 0;
      });
      const addresses = await createWallets(stack, PER_BLOCK);
      // Payments are sent one after the other, because the node numbers an account's transactions in the order of their arrival.
      const pay = async () => {
        const hashes: string[] = [];
        for (const to of addresses)
          hashes.push(
            z.string().parse(await chain.rpc('eth_sendTransaction', [{ from: SENDER, to, value: '0x1', gas: '0x5208' }])),
          );
        return hashes;
      };
      const includedMs: number[] = [];
      const minedAt = new Map<string, number>();
      const blocks = WARM_UP_BLOCKS + Math.max(5, Math.round(BLOCKS * size));
      const below = Number(await chain.rpc('eth_blockNumber'));
      for (let block = 1; block <= blocks; block += 1) {
        const dueMs = performance.now() + BLOCK_MS;
        const hashes = await pay();
        const mined = wallClock();
        await chain.rpc('evm_mine');
        const included = await untilIncluded(postgres, below + block);
        if (block > WARM_UP_BLOCKS) {
          includedMs.push(included - mined);
          for (const hash of hashes) minedAt.set(hash, mined);
        }
        await delay(Math.max(0, dueMs - performance.now()));
      }
      say(`${blocks} blocks of ${PER_BLOCK} payments`);
      const toldMs = await arrivals(receiver.ask, minedAt);
      return [
        ...figuresOf('block to committed movements', includedMs, INCLUDED_P99_MS),
        ...figuresOf('block to webhook', toldMs, TOLD_P99_MS),
      ];
    } finally {
      await postgres.end();
      await Promise.all([receiver.stop(), stack.stop()]);
      await chain.stop();
    }
  },
};

async function createWallets(stack: Stack, count: number): Promise<readonly string[]> {
  const addresses: string[] = [];
  await closedLoop(count, CREATED_AT_ONCE, async () => {
    const { address } = await stack.client('admin').change('POST', '/wallets', { network: SCANNED }, Wallet);
    addresses.push(address);
  });
  return addresses;
}

/** Returns the time at which all movements of this block are visible. */
async function untilIncluded(postgres: PostgresClient, height: number): Promise<number> {
  await until(`the movements of block ${height} are recorded`, async () => {
    const { rows } = await postgres.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM movements WHERE network = $1 AND block_height = $2 AND status = 'Included'`,
      [SCANNED, height],
    );
    return rows[0]?.count === PER_BLOCK;
  });
  return wallClock();
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ENDS_WITHIN_MS;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`This did not happen in time: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function arrivals(
  receive: (order: ReceiverOrder) => Promise<ReceiverAnswer>,
  minedAt: Map<string, number>,
): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  await until('all webhooks arrive', async () => {
    for (const [hash, arrived] of (await receive({ order: 'arrivals' })).arrivals) {
      const mined = minedAt.get(hash);
      if (mined !== undefined) latenciesMs.push(arrived - mined);
      minedAt.delete(hash);
    }
    return minedAt.size === 0;
  });
  return latenciesMs;
}

const figuresOf = (name: string, samples: readonly number[], p99MsMax: number): readonly Figure[] => [
  { name: `${name}, p50`, value: percentile(samples, 0.5), unit: 'ms', note: `${PER_BLOCK} payments in each block` },
  { name: `${name}, p99`, value: percentile(samples, 0.99), unit: 'ms', aim: { atMost: p99MsMax } },
];
