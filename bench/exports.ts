import { generateKeyPairSync } from 'node:crypto';
import { ACTIVITY_EVENTS_MAX } from '../application/feed/activities';
import { EXPORT_ROWS_MAX } from '../application/movements/history';
import { newId } from '../platform/ids';
import { startApi } from './api-process';
import type { Bench, Figure } from './bench';
import { cpuMsOf, memoryBytesOf } from './cpu';
import { writeOrganizations } from './event-rows';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { writeReader } from './reader-user';

const SECONDS_MAX = 20;
const MB_MAX = 150;
const BYTES_PER_MB = 1_000_000;
const SAMPLE_MS = 200;
const PERIOD = new URLSearchParams({ startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }).toString();

/** Measures the largest CSV exports, with one row more than the limit. Each list's first export also warms up the process. */
export const exported: Bench = {
  name: 'exports',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const tokenKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const api = await startApi({ appUrl: postgres.appUrl, tokenKey, poolMax: 4 });
    try {
      const [orgId = ''] = await writeOrganizations(postgres, 1);
      const token = await writeReader(postgres.appUrl, orgId, tokenKey, ['Wallets:Read', 'Activities:Read']);
      const [rows, events] = [EXPORT_ROWS_MAX, ACTIVITY_EVENTS_MAX].map((most) => Math.round(most * size) + 1) as [
        number,
        number,
      ];
      await writeRows(postgres, orgId, { rows, events });
      const figures: Figure[] = [];
      for (const [name, path, count] of [
        ['history', '/wallets/all/history', rows],
        ['activities', '/activities/export', events],
      ] as const) {
        for (const turn of ['first', 'second']) {
          const read = await readAll(`${api.origin}${path}?${PERIOD}`, token, { api: api.pid, postgres: postgres.pid });
          say(`${name}, ${turn}: ${read.seconds.toFixed(1)} s, ${read.growthMb.toFixed(0)} MB`);
          figures.push(...figuresOf(`${count} rows of ${name}, ${turn} export`, read));
        }
      }
      return figures;
    } finally {
      await api.stop();
      await postgres.close();
    }
  },
};

/** Does not run `ANALYZE`, so that the exports must be fast without table statistics. */
async function writeRows(
  postgres: BenchPostgres,
  orgId: string,
  { rows, events }: { readonly rows: number; readonly events: number },
) {
  const walletId = newId('wallet');
  await postgres.query(
    `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address) VALUES ($1, $2, 'Wallet', 'EthereumSepolia', '0x1')`,
    [orgId, walletId],
  );
  await postgres.query(
    `INSERT INTO movements (org_id, subject_id, id, network, direction, kind, status, block_height, block_hash, date_mined, tx_hash,
       ordinal, place, from_address, to_address, contract, symbol, decimals, amount_units, is_verified)
     SELECT $1, $2, 'ce-00000-00000-' || lpad(n::text, 14, '0'), 'EthereumSepolia', 'In', 'Erc20Transfer', 'Confirmed', n, '0xab',
       '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 millisecond', '0x' || lpad(n::text, 64, '0'), 'value', 0,
       '0x' || repeat('1', 40), '0x' || repeat('2', 40), '0x' || repeat('3', 40), 'USDC', 6, n, true
     FROM generate_series(1, $3) n`,
    [orgId, walletId, rows],
  );
  await postgres.query(
    `INSERT INTO events (org_id, id, kind, aggregate_id, aggregate_version, data, date_created)
     SELECT $1, 'ev-00000-00000-' || lpad(n::text, 14, '0'), 'wallet.transfer.requested', 'tr-1', 1,
       jsonb_build_object('filler', repeat('x', 700)), '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 millisecond'
     FROM generate_series(1, $2) n`,
    [orgId, events],
  );
}

type Read = {
  readonly seconds: number;
  readonly growthMb: number;
  readonly peakMb: number;
  readonly cpuMs: number;
  readonly postgresCpuMs: number;
  readonly mb: number;
};

type Pids = { readonly api: number; readonly postgres: number };

async function readAll(url: string, token: string, { api, postgres }: Pids): Promise<Read> {
  const [before, cpuBefore, postgresBefore] = [memoryBytesOf(api), cpuMsOf(api), cpuMsOf(postgres)];
  const started = performance.now();
  let [peak, bytes] = [before, 0];
  const sample = setInterval(() => {
    peak = Math.max(peak, memoryBytesOf(api));
  }, SAMPLE_MS);
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, accept: 'text/csv' } });
    if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
    for await (const part of response.body) bytes += part.length;
  } finally {
    clearInterval(sample);
  }
  return {
    seconds: (performance.now() - started) / 1_000,
    growthMb: (peak - before) / BYTES_PER_MB,
    peakMb: peak / BYTES_PER_MB,
    cpuMs: cpuMsOf(api) - cpuBefore,
    postgresCpuMs: cpuMsOf(postgres) - postgresBefore,
    mb: bytes / BYTES_PER_MB,
  };
}

const figuresOf = (name: string, { seconds, growthMb, peakMb, cpuMs, postgresCpuMs, mb }: Read): readonly Figure[] => [
  { name, value: seconds, unit: 's', aim: { atMost: SECONDS_MAX } },
  { name: `${name}, growth of the API`, value: growthMb, unit: 'MB', aim: { atMost: MB_MAX } },
  { name: `${name}, memory of the API`, value: peakMb, unit: 'MB' },
  { name: `${name}, CPU of the API`, value: cpuMs / 1_000, unit: 's' },
  { name: `${name}, CPU of Postgres`, value: postgresCpuMs / 1_000, unit: 's' },
  { name: `${name}, size`, value: mb, unit: 'MB' },
];
