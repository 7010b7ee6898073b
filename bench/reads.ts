import { generateKeyPairSync } from 'node:crypto';
import { startApi } from './api-process';
import type { BareAnswer, BareOrder } from './bare-process';
import type { Bench, Figure } from './bench';
import { cpuMsOf } from './cpu';
import type { LoadAnswer, LoadOrder } from './load-process';
import { median, percentile } from './percentiles';
import { startBenchPostgres } from './postgres';
import { startProgram } from './program';
import { writeReader } from './reader-user';
import { type TransferRows, writeTransferRows } from './transfer-rows';

const TABLE_ROWS = [100_000, 1_000_000] as const;
const CONNECTIONS = 4;
const POOL_MAX = 10;
const ROUNDS = 9;
const REQUESTS_PER_ROUND = 2_000;
const WARM_UP_REQUESTS = 2_000;
const PATHS = 997;
const P50_RATIO_MAX = 1.3;
const GROWTH_MAX = 1.1;
/** The columns in the response. The bare route reads only these columns; the service also reads columns for its checks. */
const COLUMNS = `id, wallet_id, network, requester_user_id, requester_token_id, request_body, asset_symbol, asset_decimals,
  asset_verified, state, reason, tx_hash, fee_units, approval_id, date_requested, date_policy_resolved, date_broadcasted,
  date_confirmed, external_id`;
const BARE_QUERIES = {
  get: `SELECT ${COLUMNS} FROM transfers WHERE org_id = $1 AND wallet_id = $2 AND id = $3`,
  list: `SELECT ${COLUMNS} FROM transfers WHERE org_id = $1 AND wallet_id = $2 ORDER BY id DESC LIMIT $3`,
};
const ROUTES = ['getTransfer', 'listTransfers'] as const;

type Route = (typeof ROUTES)[number];
type Server = { readonly origin: string; readonly pid: number; readonly headers: Readonly<Record<string, string>> };
type Sampled = {
  readonly latenciesMs: number[];
  readonly perSecond: number[];
  readonly serverCpuMs: number[];
  readonly postgresCpuMs: number[];
};

/** Compares two reads of the API with a bare Koa route. The bare route reads the same rows with one query. */
export const reads: Bench = {
  name: 'reads',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const load = startProgram<LoadOrder, LoadAnswer>('load-process');
    const bare = startProgram<BareOrder, BareAnswer>('bare-process');
    const tokenKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const api = await startApi({ appUrl: postgres.appUrl, tokenKey, poolMax: POOL_MAX });
    try {
      const rows = await writeTransferRows(postgres);
      const token = await writeReader(postgres.appUrl, rows.orgId, tokenKey);
      const { port } = await bare.ask({ url: postgres.superuserUrl, poolMax: POOL_MAX, ...BARE_QUERIES });
      const ours: Server = { origin: api.origin, pid: api.pid, headers: { authorization: `Bearer ${token}` } };
      const peer: Server = { origin: `http://127.0.0.1:${port}`, pid: bare.pid, headers: { 'x-org': rows.orgId } };

      const measure = async (paths: readonly string[]): Promise<readonly [Sampled, Sampled]> => {
        const samples = [sampled(), sampled()] as const;
        const round = async (server: Server, count: number, into?: Sampled) => {
          const before = { server: cpuMsOf(server.pid), postgres: cpuMsOf(postgres.pid) };
          const { origin, headers } = server;
          const { seconds, latenciesMs } = await load.ask({ origin, headers, paths, count, connections: CONNECTIONS });
          into?.latenciesMs.push(...latenciesMs);
          into?.perSecond.push(count / seconds);
          into?.serverCpuMs.push((cpuMsOf(server.pid) - before.server) / count);
          into?.postgresCpuMs.push((cpuMsOf(postgres.pid) - before.postgres) / count);
        };
        const count = Math.max(200, Math.round(REQUESTS_PER_ROUND * size));
        for (const server of [ours, peer]) await round(server, Math.max(count, WARM_UP_REQUESTS * size));
        for (let at = 0; at < ROUNDS; at += 1) {
          // The order alternates, so that neither side always runs on the warmer machine.
          const [first, second] = at % 2 === 0 ? [0, 1] : [1, 0];
          for (const which of [first, second]) await round(which === 0 ? ours : peer, count, samples[which === 0 ? 0 : 1]);
        }
        return samples;
      };

      const figures: Figure[] = [];
      const p50s = new Map<Route, number[]>();
      for (const count of TABLE_ROWS.map((most) => Math.max(2_000, Math.round(most * size)))) {
        await rows.fillTo(count);
        for (const route of ROUTES) {
          const [own, other] = await measure(pathsOf(route, rows));
          const p50 = percentile(own.latenciesMs, 0.5);
          const ratio = p50 / percentile(other.latenciesMs, 0.5);
          say(`${route} at ${count} rows: ${p50.toFixed(2)} ms, ${ratio.toFixed(2)} times the bare route`);
          figures.push({
            name: `${route} at ${count} rows, p50 over the bare route's`,
            value: ratio,
            unit: 'ratio',
            aim: { atMost: P50_RATIO_MAX },
          });
          figures.push(...cellsOf(`${route}, ${count} rows`, own), ...cellsOf(`bare route of ${route}, ${count} rows`, other));
          p50s.set(route, [...(p50s.get(route) ?? []), p50]);
        }
      }
      for (const [route, [small = 0, large = 0]] of p50s) {
        const name = `${route}, p50 at the large table over the small one's`;
        figures.push({ name, value: large / small, unit: 'ratio', aim: { atMost: GROWTH_MAX } });
      }
      return figures;
    } finally {
      await Promise.all([load.stop(), bare.stop(), api.stop()]);
      await postgres.close();
    }
  },
};

const sampled = (): Sampled => ({ latenciesMs: [], perSecond: [], serverCpuMs: [], postgresCpuMs: [] });

/** The paths lead to rows from all parts of the table, old and new. */
function pathsOf(route: Route, rows: TransferRows): readonly string[] {
  return Array.from({ length: PATHS }, (_path, at) => {
    const { walletId, transferId } = rows.row(Math.floor((at * rows.own()) / PATHS));
    return route === 'getTransfer' ? `/wallets/${walletId}/transfers/${transferId}` : `/wallets/${walletId}/transfers`;
  });
}

function cellsOf(row: string, { latenciesMs, perSecond, serverCpuMs, postgresCpuMs }: Sampled): readonly Figure[] {
  const cell = (column: string) => ({ table: `reads, ${CONNECTIONS} connections`, row, column });
  return [
    { name: '', value: percentile(latenciesMs, 0.5), unit: 'ms', cell: cell('p50') },
    { name: '', value: percentile(latenciesMs, 0.99), unit: 'ms', cell: cell('p99') },
    { name: '', value: median(perSecond), unit: '1/s', cell: cell('requests') },
    { name: '', value: median(serverCpuMs), unit: 'ms', cell: cell('CPU of the server') },
    { name: '', value: median(postgresCpuMs), unit: 'ms', cell: cell('CPU of Postgres') },
  ];
}
