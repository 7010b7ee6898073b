import type { Bench, Figure } from './bench';
import { writeOrganizations } from './event-rows';
import { SCANNED } from './paced-chain';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import type { WatchAnswer, WatchOrder } from './watch-process';

const ADDRESSES = 1_000_000;
const MB_MAX = 40;
const BYTES_PER_MB = 1_000_000;

/** Measures the memory for a million watched addresses, and the time to load them. */
export const watched: Bench = {
  name: 'watched',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const program = startProgram<WatchOrder, WatchAnswer>('watch-process');
    try {
      const count = Math.max(1_000, Math.round(ADDRESSES * size));
      await writeAddresses(postgres, count);
      const { workerUrl, relayUrl } = postgres;
      const loaded = await program.ask({ workerUrl, relayUrl });
      say(`${count} addresses loaded in ${loaded.seconds.toFixed(1)} s`);
      return figuresOf(count, loaded);
    } finally {
      await program.stop();
      await postgres.close();
    }
  },
};

const figuresOf = (count: number, { seconds, heldBytes, residentBytes }: WatchAnswer): readonly Figure[] => [
  { name: `${count} addresses, memory that is kept`, value: heldBytes / BYTES_PER_MB, unit: 'MB', aim: { atMost: MB_MAX } },
  { name: `${count} addresses, growth of the process`, value: residentBytes / BYTES_PER_MB, unit: 'MB' },
  { name: `${count} addresses, load`, value: seconds, unit: 's' },
];

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
