import type { Bench, Figure } from './bench';
import { writeOrganizations } from './event-rows';
import { plainChain, SCANNED } from './paced-chain';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import type { WatchAnswer, WatchOrder } from './watch-process';

const ADDRESSES = 1_000_000;
const TRANSACTIONS = 300;
/** Every tenth payment of the block goes to a watched address. */
const MATCHING_EVERY = 10;
const TIMES = 300;
const MB_MAX = 40;
const MATCHED_MS_MAX = 2;
const BYTES_PER_MB = 1_000_000;
const GAS_LIMIT = '100000000';
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** Measures the memory for a million watched addresses, the time to load them, and the time to compare a block with them. */
export const watched: Bench = {
  name: 'watched',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const chain = await plainChain(['--no-mining', '--gas-limit', GAS_LIMIT]);
    const program = startProgram<WatchOrder, WatchAnswer>('watch-process');
    try {
      const count = Math.max(1_000, Math.round(ADDRESSES * size));
      await writeAddresses(postgres, count);
      const { workerUrl, relayUrl } = postgres;
      const loaded = await program.ask({ order: 'load', workerUrl, relayUrl });
      if (!('seconds' in loaded)) throw new Error('the process returned another answer');
      say(`${count} addresses loaded in ${loaded.seconds.toFixed(1)} s`);
      for (let n = 0; n < TRANSACTIONS; n += 1) {
        const to = n % MATCHING_EVERY === 0 ? addressOf(n + 1) : `0x${'ee'.repeat(16)}${n.toString(16).padStart(8, '0')}`;
        await chain.rpc('eth_sendTransaction', [{ from: SENDER, to, value: '0x1', gas: '0x5208' }]);
      }
      await chain.rpc('evm_mine');
      const matched = await program.ask({
        order: 'match',
        url: chain.url,
        height: 1,
        times: Math.max(30, Math.round(TIMES * size)),
      });
      if (!('found' in matched)) throw new Error('the process returned another answer');
      const expected = TRANSACTIONS / MATCHING_EVERY;
      if (matched.found !== expected) throw new Error(`${matched.found} of ${expected} payments were found`);
      return figuresOf(count, loaded, matched);
    } finally {
      await program.stop();
      await chain.stop();
      await postgres.close();
    }
  },
};

const figuresOf = (
  count: number,
  { seconds, heldBytes, residentBytes }: Extract<WatchAnswer, { seconds: number }>,
  { p50Ms, p99Ms }: Extract<WatchAnswer, { found: number }>,
): readonly Figure[] => [
  { name: `${count} addresses, memory that is kept`, value: heldBytes / BYTES_PER_MB, unit: 'MB', aim: { atMost: MB_MAX } },
  { name: `${count} addresses, growth of the process`, value: residentBytes / BYTES_PER_MB, unit: 'MB' },
  { name: `${count} addresses, load`, value: seconds, unit: 's' },
  { name: `a block of ${TRANSACTIONS} transactions compared, p50`, value: p50Ms, unit: 'ms', aim: { atMost: MATCHED_MS_MAX } },
  { name: `a block of ${TRANSACTIONS} transactions compared, p99`, value: p99Ms, unit: 'ms' },
];

/** The address with the number `n` in its first bytes, in lower case. */
const addressOf = (n: number) => `0x${n.toString(16).padStart(8, '0')}${'ab'.repeat(16)}`;

async function writeAddresses(postgres: BenchPostgres, count: number): Promise<void> {
  const [orgId = ''] = await writeOrganizations(postgres, 1);
  await postgres.query(
    `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address, live_from)
     SELECT $1, 'aw-00000-00000-' || lpad(n::text, 16, '0'), 'AddressWatch', $2, '0x' || lpad(to_hex(n), 8, '0') || repeat('ab', 16), 1
     FROM generate_series(1, $3::integer) n`,
    [orgId, SCANNED, count],
  );
  await postgres.query('ANALYZE watched_addresses');
}
