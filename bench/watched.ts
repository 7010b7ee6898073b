import type { Bench, Figure } from './bench';
import { writeOrganizations } from './event-rows';
import { type PacedChain, plainChain, SCANNED } from './paced-chain';
import { percentile } from './percentiles';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import type { WatchAnswer, WatchOrder } from './watch-process';

const ADDRESSES = 1_000_000;
const MB_MAX = 40;
/** The first blocks are read while the code is still being compiled. */
const WARM_UP_BLOCKS = 20;
const BLOCKS = 40;
const PER_BLOCK = 300;
const MATCHED_MS_MAX = 2;
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const BYTES_PER_MB = 1_000_000;

/** Measures the memory for a million watched addresses, and the time to load them and to look for them in blocks. */
export const watched: Bench = {
  name: 'watched',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const program = startProgram<WatchOrder, WatchAnswer>('watch-process');
    const chain = await plainChain(['--no-mining']);
    try {
      const count = Math.max(1_000, Math.round(ADDRESSES * size));
      await writeAddresses(postgres, count);
      const { workerUrl, relayUrl } = postgres;
      const blocks = await payments(chain);
      say(`${blocks.length} blocks of ${PER_BLOCK} payments`);
      const loaded = await program.ask({ workerUrl, relayUrl, url: chain.url, blocks });
      say(`${count} addresses loaded in ${loaded.seconds.toFixed(1)} s`);
      return figuresOf(count, loaded);
    } finally {
      await program.stop();
      await Promise.all([chain.stop(), postgres.close()]);
    }
  },
};

const figuresOf = (count: number, { seconds, heldBytes, residentBytes, matchedMs }: WatchAnswer): readonly Figure[] => [
  { name: `${count} addresses, memory that is kept`, value: heldBytes / BYTES_PER_MB, unit: 'MB', aim: { atMost: MB_MAX } },
  { name: `${count} addresses, growth of the process`, value: residentBytes / BYTES_PER_MB, unit: 'MB' },
  { name: `${count} addresses, load`, value: seconds, unit: 's' },
  ...[0.5, 0.99].map(
    (share): Figure => ({
      name: `block of ${PER_BLOCK} transactions matched with ${count} addresses, p${100 * share}`,
      value: percentile(matchedMs.slice(WARM_UP_BLOCKS), share),
      ...{ unit: 'ms', ...(share === 0.5 ? { aim: { atMost: MATCHED_MS_MAX } } : {}) },
    }),
  ),
];

/** Mines blocks of payments between addresses that are not watched, and returns their heights. */
async function payments({ rpc }: PacedChain): Promise<readonly number[]> {
  const heights: number[] = [];
  for (let height = 1; height <= WARM_UP_BLOCKS + BLOCKS; height += 1) {
    for (let at = 0; at < PER_BLOCK; at += 1) {
      const to = `0x${(height * PER_BLOCK + at).toString(16).padStart(40, 'c')}`;
      await rpc('eth_sendTransaction', [{ from: SENDER, to, value: '0x1', gas: '0x5208' }]);
    }
    await rpc('evm_mine');
    heights.push(height);
  }
  return heights;
}

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
