import { generateKeyPairSync } from 'node:crypto';
import { tokenAfter } from '../api/http/pagination';
import { pageKeyOf } from '../application/movements/history';
import { startApi } from './api-process';
import type { Bench, Figure } from './bench';
import type { LoadAnswer, LoadOrder } from './load-process';
import { percentile } from './percentiles';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import { writeReader } from './reader-user';
import { idOf, sqlId, WALLETS, writeTransferRows } from './transfer-rows';

const ROWS = 10_000_000;
const ROWS_PER_STATEMENT = 250_000;
const SECONDS_PER_ROW = 3;
const FIRST_BLOCK = '2025-01-01T00:00:00Z';
const PERIOD_DAYS = 30;
const DAY_SECONDS = 24 * 3_600;
const PATHS = 997;
const REQUESTS = 3_000;
const WARM_UP_REQUESTS = 500;
const P50_MS_MAX = 8;

/** Measures pages of the history of one wallet and of all wallets, with one request at a time. */
export const history: Bench = {
  name: 'history',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const load = startProgram<LoadOrder, LoadAnswer>('load-process');
    const tokenKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const api = await startApi({ appUrl: postgres.appUrl, tokenKey, poolMax: 4 });
    try {
      const rows = Math.max(WALLETS * 100, Math.round(ROWS * size));
      const { orgId } = await writeTransferRows(postgres);
      await writeMovements(postgres, { orgId, rows }, say);
      const token = await writeReader(postgres.appUrl, orgId, tokenKey, ['Wallets:Read']);
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      const figures: Figure[] = [];
      for (const [name, paths] of Object.entries(pathsOf(rows))) {
        const ask = (count: number) => load.ask({ origin: api.origin, headers, paths, count, connections: 1 });
        await ask(WARM_UP_REQUESTS);
        const { latenciesMs } = await ask(Math.max(WARM_UP_REQUESTS, Math.round(REQUESTS * size)));
        const p50 = percentile(latenciesMs, 0.5);
        say(`${name}: ${p50.toFixed(2)} ms`);
        figures.push(
          { name: `${name} at ${rows} rows, p50`, value: p50, unit: 'ms', aim: { atMost: P50_MS_MAX } },
          { name: `${name} at ${rows} rows, p99`, value: percentile(latenciesMs, 0.99), unit: 'ms' },
        );
      }
      return figures;
    } finally {
      await Promise.all([load.stop(), api.stop()]);
      await postgres.close();
    }
  },
};

const walletOf = (block: number) => idOf('wa', block % WALLETS);

/** The requests reach all parts of the table, old and new. */
function pathsOf(rows: number): Readonly<Record<string, readonly string[]>> {
  const places = Array.from({ length: PATHS }, (_path, at) => Math.floor(((at + 1) * rows) / (PATHS + 1)));
  const ofWallet = (block: number) => `/wallets/${walletOf(block)}/history`;
  const dateOf = (block: number) => new Date(Date.parse(FIRST_BLOCK) + block * SECONDS_PER_ROW * 1_000);
  const periodFrom = (block: number) =>
    new URLSearchParams({
      startTime: dateOf(block).toISOString(),
      endTime: new Date(dateOf(block).getTime() + PERIOD_DAYS * DAY_SECONDS * 1_000).toISOString(),
    }).toString();
  return {
    'first page of a wallet': places.map(ofWallet),
    'later page of a wallet': places.map((block) => {
      const after = tokenAfter(pageKeyOf({ blockHeight: String(block), place: '0', id: 'ce-00000' }));
      return `${ofWallet(block)}?paginationToken=${after}`;
    }),
    'page of all wallets': places.map((block) => `/wallets/all/history?${periodFrom(block)}`),
  };
}

/** One movement in each block. The ids are digests, as in the service, so that the index of the primary key grows everywhere. */
async function writeMovements(
  { query }: BenchPostgres,
  { orgId, rows }: { readonly orgId: string; readonly rows: number },
  say: (line: string) => void,
): Promise<void> {
  await query(
    `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address, live_from)
     SELECT org_id, id, 'Wallet', network, address, 1 FROM wallets WHERE org_id = $1`,
    [orgId],
  );
  // The measurement does not include foreign keys or the disk.
  await query(`SET session_replication_role = 'replica'`);
  await query('SET synchronous_commit = off');
  for (let start = 1; start <= rows; start += ROWS_PER_STATEMENT) {
    await query(
      `INSERT INTO movements (org_id, subject_id, id, network, direction, kind, status, block_height, block_hash, date_mined,
         tx_hash, ordinal, place, from_address, to_address, contract, symbol, decimals, amount_units, is_verified)
       SELECT $1, ${sqlId('wa', `n % ${WALLETS}`)}, 'ce-' || substr(md5(n::text), 1, 5) || '-' || substr(md5(n::text), 6, 21),
         'EthereumSepolia', CASE WHEN n % 3 = 0 THEN 'Out' ELSE 'In' END, 'Erc20Transfer', 'Confirmed', n,
         '0x' || md5(n::text) || md5(n::text), $4::timestamptz + n * ${SECONDS_PER_ROW} * interval '1 second',
         '0x' || md5((-n)::text) || md5(n::text), 'value', 0, '0x' || repeat('1', 40), '0x' || repeat('2', 40),
         '0x' || repeat('3', 40), 'USDC', 6, n, true
       FROM generate_series($2::integer, $3::integer) n`,
      [orgId, start, Math.min(rows, start + ROWS_PER_STATEMENT - 1), FIRST_BLOCK],
    );
  }
  await query('VACUUM ANALYZE movements');
  say(`${rows} movements written`);
}
