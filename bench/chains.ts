import type { Bench, Figure } from './bench';
import { coinSelection } from './coin-selection';
import { coldStart } from './cold-start';
import { type LaneRun, prepareLaneLoad } from './lane-load';
import { startPacedChain } from './paced-chain';
import { type StackKind, startStack } from './stack';

const WARM_UP = 40;
const AT_ONCE = 20;
const RACE = 200;
const LONG = 1_000;
const MANY_WALLETS = 100;
const LEAST = 20;
/**
 * OpenZeppelin Relayer 1.8.0, a Rust program on Redis without custody and policies. The Relayer sent 200 transfers from one
 * sender, 20 at a time, on two cores, with an anvil that mined a block every second.
 */
const PEER = { minedPerSecond: 2.9, cpuMs: 376 } as const;
/**
 * The workflows that Temporal's server on Postgres completes per second. Each workflow has as many activities as a transfer,
 * and the activities do nothing.
 */
const FLOOR_PER_SECOND = 13.5;
const AIMS = { timesPeer: 3, shareOfPeerCpu: 0.5 } as const;

/** Measures coin selection, the start of the API, and transfers without a policy on a chain with a block every second. */
export const chains: Bench = {
  name: 'chains',
  run: async ({ size, say }) => [
    ...coinSelection(),
    ...(await coldStart(size)),
    ...(await onStack('embedded', size, say)),
    ...(await onStack('postgres', size, say)),
  ],
};

const scaled = (count: number, size: number) => Math.max(LEAST, Math.round(count * size));

async function onStack(kind: StackKind, size: number, say: (line: string) => void): Promise<readonly Figure[]> {
  const chain = await startPacedChain();
  const nodes = { NETWORK_RPC_URLS: JSON.stringify({ EthereumSepolia: [chain.url] }) };
  const stack = await startStack({ kind, say, moreEnv: (role) => (role === 'api' || role === 'worker' ? nodes : {}) }).catch(
    async (error: unknown) => {
      await chain.stop();
      throw error;
    },
  );
  const load = await prepareLaneLoad(stack, chain);
  try {
    const [warm, ...lone] = await load.wallets(3);
    if (!warm) throw new Error('There is no wallet');
    await load.run([warm], scaled(WARM_UP, size), AT_ONCE);
    const told = (name: string, run: LaneRun) => {
      const { accepted, mined, confirmed } = run.seconds;
      const parts = [`accepted ${accepted.toFixed(1)} s`, `mined ${mined.toFixed(1)} s`, `confirmed ${confirmed.toFixed(1)} s`];
      say(`${kind}: ${name}, ${run.count} transfers: ${parts.join(', ')}, ${sumOf(run.cpuMs).toFixed(0)} ms CPU each`);
      return run;
    };
    const race = told('one wallet', await load.run(lone.slice(0, 1), scaled(RACE, size), AT_ONCE));
    const figures = [...raceFigures(kind, race)];
    // The long runs give the same figures on both kinds of stack.
    if (kind === 'postgres') {
      const count = scaled(LONG, size);
      const many = await load.wallets(Math.min(MANY_WALLETS, count));
      figures.push(...longFigures('one wallet', told('one wallet', await load.run(lone.slice(1), count, AT_ONCE))));
      figures.push(
        ...longFigures(`${many.length} wallets`, told(`${many.length} wallets`, await load.run(many, count, AT_ONCE))),
      );
    }
    return figures;
  } finally {
    await load.close();
    await stack.stop();
    await chain.stop();
  }
}

const sumOf = (values: ReadonlyMap<string, number>) => [...values.values()].reduce((sum, value) => sum + value, 0);

function raceFigures(kind: StackKind, { count, seconds, ...run }: LaneRun): readonly Figure[] {
  const name = (what: string) => `${kind}: ${what}`;
  const cpuMs = sumOf(run.cpuMs);
  const minedPerSecond = count / seconds.mined;
  const table = `${kind}: ${count} transfers from one wallet, ${AT_ONCE} at once`;
  const cell = (row: string, column: string, value: number, unit: Figure['unit']): Figure => ({
    name: '',
    value,
    unit,
    cell: { table, row, column },
  });
  return [
    { name: name('accepted'), value: count / seconds.accepted, unit: '1/s' },
    { name: name('mined'), value: minedPerSecond, unit: '1/s', aim: { atLeast: PEER.minedPerSecond * AIMS.timesPeer } },
    { name: name('confirmed'), value: count / seconds.confirmed, unit: '1/s', note: 'delivered to a webhook, three blocks' },
    { name: name('mined, times the peer'), value: minedPerSecond / PEER.minedPerSecond, unit: 'ratio' },
    { name: name('mined, share of the floor of Temporal'), value: minedPerSecond / FLOOR_PER_SECOND, unit: 'ratio' },
    { name: name('CPU per transfer'), value: cpuMs, unit: 'ms', aim: { atMost: PEER.cpuMs * AIMS.shareOfPeerCpu } },
    { name: name('CPU per transfer, share of the peer'), value: cpuMs / PEER.cpuMs, unit: 'ratio' },
    { name: name('resubmissions'), value: run.resubmissions, unit: 'count', aim: { atMost: 0 } },
    { name: name('nonce gaps'), value: run.gaps, unit: 'count', aim: { atMost: 0 } },
    { name: name('answer to a request, p50'), value: run.answeredP50Ms, unit: 'ms' },
    { name: name('answer to a request, p99'), value: run.answeredP99Ms, unit: 'ms' },
    ...[...run.cpuMs].map(([role, ms]) => cell(role, 'CPU ms each', ms, 'ms')),
    ...[...run.calls].map(([method, times]) => ({
      ...cell(method, 'per transfer', times, 'count'),
      cell: { table: `${kind}: questions to the node`, row: method, column: 'per transfer' },
    })),
  ];
}

function longFigures(from: string, { count, seconds, gaps, resubmissions }: LaneRun): readonly Figure[] {
  const name = (what: string) => `${count} transfers from ${from}: ${what}`;
  return [
    { name: name('last confirmation'), value: seconds.confirmed, unit: 's' },
    { name: name('mined'), value: count / seconds.mined, unit: '1/s' },
    { name: name('nonce gaps'), value: gaps, unit: 'count', aim: { atMost: 0 } },
    { name: name('resubmissions'), value: resubmissions, unit: 'count', aim: { atMost: 0 } },
  ];
}
