import { NETWORKS, whyUnread } from '../chains/networks';
import type { Bench } from './bench';
import { cpuMsOf } from './cpu';
import { writeOrganizations } from './event-rows';
import type { IdleAnswer, IdleOrder } from './idle-process';
import { plainChain } from './paced-chain';
import { startBenchPostgres } from './postgres';
import { startProgram } from './program';

const COUNT = 53;
const BLOCK_SECONDS = 12;
const WARM_UP_MS = 30_000;
const MEASURED_MS = 120_000;
const SHARE_MAX = 0.15;
/** The networks whose blocks differ from those of a plain anvil. */
const UNLIKE_ANVIL = /^(Arc|Bitcoin|Celo|Dogecoin|Litecoin|Polygon|Solana|Tempo)/;

/** Measures the scanners of 53 networks, with empty blocks and one watched address each, in one process. */
export const idle: Bench = {
  name: 'idle',
  run: async ({ size, say }) => {
    const networks = Object.values(NETWORKS)
      .filter((network) => whyUnread(network) === undefined && !UNLIKE_ANVIL.test(network.name))
      .slice(0, COUNT)
      .map(({ name }) => name);
    const postgres = await startBenchPostgres();
    const chain = await plainChain(['--block-time', String(BLOCK_SECONDS)]);
    const program = startProgram<IdleOrder, IdleAnswer>('idle-process');
    try {
      const [orgId = ''] = await writeOrganizations(postgres, 1);
      await postgres.query(
        `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address)
         SELECT $1, 'aw-00000-00000-' || lpad(place::text, 16, '0'), 'AddressWatch', network, '0x' || repeat('ab', 20)
         FROM unnest($2::text[]) WITH ORDINALITY AS n (network, place)`,
        [orgId, networks],
      );
      const { workerUrl, relayUrl } = postgres;
      const [postgresBeforeMs, chainBeforeMs] = [cpuMsOf(postgres.pid), cpuMsOf(chain.pid)];
      const measuredMs = Math.max(2 * BLOCK_SECONDS * 1_000, Math.round(MEASURED_MS * size));
      const { cpuMs, seconds } = await program.ask({
        ...{ networks, url: chain.url, workerUrl, relayUrl },
        ...{ warmUpMs: WARM_UP_MS, measuredMs },
      });
      const wholeMs = WARM_UP_MS + seconds * 1_000;
      const [read] = await postgres.query<{ count: number }>(
        'SELECT count(DISTINCT network)::integer AS count FROM chain_blocks',
      );
      if (read?.count !== networks.length) throw new Error(`blocks of ${read?.count} of ${networks.length} networks were read`);
      say(`${networks.length} networks during ${seconds.toFixed(0)} s`);
      return [
        {
          name: `scanners of ${networks.length} idle networks, share of a core`,
          value: cpuMs / (seconds * 1_000),
          unit: 'ratio',
          aim: { atMost: SHARE_MAX },
          note: `a block every ${BLOCK_SECONDS} s`,
        },
        {
          name: 'Postgres meanwhile, share of a core',
          value: (cpuMsOf(postgres.pid) - postgresBeforeMs) / wholeMs,
          unit: 'ratio',
          note: 'with the start of the scanners',
        },
        {
          name: 'the node meanwhile, share of a core',
          value: (cpuMsOf(chain.pid) - chainBeforeMs) / wholeMs,
          unit: 'ratio',
          note: 'one node replies for all networks',
        },
      ];
    } finally {
      await program.stop();
      await chain.stop();
      await postgres.close();
    }
  },
};
