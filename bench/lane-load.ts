import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { closedLoop } from './closed-loop';
import { cpuMsOf } from './cpu';
import type { PacedChain } from './paced-chain';
import { percentile } from './percentiles';
import { startReceiver } from './receiver';
import type { Stack } from './stack';

const NETWORK = 'EthereumSepolia';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** More than all transfers of a bench can spend, in wei. */
const FUNDS_HEX = `0x${(10n ** 24n).toString(16)}`;
const AMOUNT_UNITS = '1000';
const CREATED_AT_ONCE = 8;
const CONFIRMED_WITHIN_MS = 600_000;
/** After the last confirmation the service still updates rows, and this CPU time is included. */
const SETTLES_MS = 500;
const SENDS = 'eth_sendRawTransaction';

const Wallet = z.object({ id: z.string(), address: z.string() });
const Transfer = z.object({ id: z.string() });
const Hex = z.string().transform(Number);
const Block = z.object({
  timestamp: Hex,
  transactions: z.array(z.object({ from: z.string(), nonce: Hex })),
});
const Pool = z.object({ pending: Hex, queued: Hex });

export type LaneWallet = z.output<typeof Wallet>;

export type LaneRun = {
  readonly count: number;
  /** The seconds from the first request until the last transfer was accepted, mined and confirmed. */
  readonly seconds: { readonly accepted: number; readonly mined: number; readonly confirmed: number };
  readonly answeredP50Ms: number;
  readonly answeredP99Ms: number;
  /** Transactions in addition to the first transaction of each transfer. */
  readonly resubmissions: number;
  /**
   * The missing nonces between the first and the last included nonce of each wallet, plus the transactions in the node's pool
   * at the end.
   */
  readonly gaps: number;
  /** Requests to the node per transfer, by method. */
  readonly calls: ReadonlyMap<string, number>;
  /** CPU time per transfer and process, in ms. */
  readonly cpuMs: ReadonlyMap<string, number>;
};

export type LaneLoad = {
  readonly wallets: (count: number) => Promise<readonly LaneWallet[]>;
  /** Requests `count` transfers from the wallets in turn. Resolves when the last transfer is confirmed. */
  readonly run: (wallets: readonly LaneWallet[], count: number, atOnce: number) => Promise<LaneRun>;
  readonly close: () => Promise<void>;
};

/** Prepares transfers without a policy, and a webhook receiver for the confirmations. */
export async function prepareLaneLoad(stack: Stack, chain: PacedChain): Promise<LaneLoad> {
  const admin = stack.client('admin');
  const receiver = await startReceiver();
  const subscription = { url: receiver.url, events: ['wallet.transfer.confirmed'], description: 'bench' };
  await admin.change('POST', '/webhooks', subscription, z.unknown());
  const body = { kind: 'Native', to: RECIPIENT, amount: AMOUNT_UNITS };

  return {
    wallets: async (count) => {
      const made: LaneWallet[] = [];
      await closedLoop(count, CREATED_AT_ONCE, async () => {
        const wallet = await admin.change('POST', '/wallets', { network: NETWORK }, Wallet);
        await chain.rpc('anvil_setBalance', [wallet.address, FUNDS_HEX]);
        made.push(wallet);
      });
      return made;
    },
    run: async (wallets, count, atOnce) => {
      const pids = new Map<string, number>([...stack.pids(), ['chain', chain.pid]]);
      const cpuBefore = new Map([...pids].map(([role, pid]) => [role, cpuMsOf(pid)] as const));
      const callsBefore = chain.calls();
      const firstBlock = Hex.parse(await chain.rpc('eth_blockNumber')) + 1;
      const startedMs = Date.now();
      const started = performance.now();
      const secondsSince = () => (performance.now() - started) / 1_000;

      let turn = 0;
      const ids: string[] = [];
      const { latenciesMs } = await closedLoop(count, atOnce, async () => {
        const wallet = wallets[turn++ % wallets.length];
        if (!wallet) throw new Error('There is no wallet to ask');
        ids.push((await admin.change('POST', `/wallets/${wallet.id}/transfers`, body, Transfer)).id);
      });
      const accepted = secondsSince();
      await Promise.race([Promise.all(ids.map((id) => receiver.confirmed(id))), tooLate()]);
      const confirmed = secondsSince();
      await delay(SETTLES_MS);
      const calls = chain.calls();
      const cpuMs = new Map([...pids].map(([role, pid]) => [role, (cpuMsOf(pid) - (cpuBefore.get(role) ?? 0)) / count] as const));

      const { gaps, lastMinedAt } = await readChain(chain, firstBlock, wallets);
      return {
        count,
        seconds: { accepted, mined: Math.min(confirmed, lastMinedAt - startedMs / 1_000), confirmed },
        answeredP50Ms: percentile(latenciesMs, 0.5),
        answeredP99Ms: percentile(latenciesMs, 0.99),
        resubmissions: (calls.get(SENDS) ?? 0) - (callsBefore.get(SENDS) ?? 0) - count,
        gaps,
        calls: new Map([...calls].map(([method, times]) => [method, (times - (callsBefore.get(method) ?? 0)) / count] as const)),
        cpuMs,
      };
    },
    close: receiver.close,
  };
}

async function tooLate(): Promise<never> {
  await delay(CONFIRMED_WITHIN_MS, undefined, { ref: false });
  throw new Error(`Not every transfer was confirmed within ${CONFIRMED_WITHIN_MS / 1_000} s`);
}

/**
 * Returns the gaps and the time of the last mined transfer. This time is exact only to a second, because the time of a block is
 * in whole seconds.
 */
async function readChain(
  { rpc }: PacedChain,
  firstBlock: number,
  wallets: readonly LaneWallet[],
): Promise<{ readonly gaps: number; readonly lastMinedAt: number }> {
  const ours = new Map(wallets.map(({ address }) => [address.toLowerCase(), new Set<number>()] as const));
  let lastMinedAt = 0;
  const head = Hex.parse(await rpc('eth_blockNumber'));
  for (let height = firstBlock; height <= head; height += 1) {
    const block = Block.parse(await rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, true]));
    for (const { from, nonce } of block.transactions) {
      const nonces = ours.get(from.toLowerCase());
      if (nonces) lastMinedAt = block.timestamp;
      nonces?.add(nonce);
    }
  }
  const missing = [...ours.values()].reduce((sum, nonces) => sum + gapsIn([...nonces]), 0);
  const { pending, queued } = Pool.parse(await rpc('txpool_status'));
  return { gaps: missing + pending + queued, lastMinedAt };
}

/** The number of missing nonces between the lowest and the highest. No nonce may occur twice. */
export const gapsIn = (nonces: readonly number[]): number =>
  nonces.length === 0 ? 0 : Math.max(...nonces) - Math.min(...nonces) + 1 - nonces.length;
