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
import { writeSigner } from './signer-user';
import { writeTransferRows } from './transfer-rows';
import type { WriteAnswer, WriteOrder } from './write-process';

const TABLE_ROWS = 20_000;
const CONNECTIONS = 4;
const POOL_MAX = 10;
const ROUNDS = 9;
const READS_PER_ROUND = 2_000;
const WRITES_PER_ROUND = 200;
const PATHS = 997;
const READ_P50_MORE_MAX_MS = 1;
const READ_CPU_MORE_MAX_MS = 0.5;
const WRITE_CPU_MAX_MS = 6;

const COLUMNS = `id, wallet_id, network, requester_user_id, requester_token_id, request_body, asset_symbol, asset_decimals,
  asset_verified, state, reason, tx_hash, fee_units, approval_id, date_requested, date_policy_resolved, date_broadcasted,
  date_confirmed, external_id`;
const BARE_QUERIES = {
  get: `SELECT ${COLUMNS} FROM transfers WHERE org_id = $1 AND wallet_id = $2 AND id = $3`,
  list: '',
  /** Writes the same rows for a new policy as the service does. */
  insert: `WITH bumped AS (UPDATE organizations SET policy_epoch = policy_epoch + 1 WHERE id = $1),
      policy AS (INSERT INTO policies (org_id, id) VALUES ($1, 'plc-' || gen_random_uuid()) RETURNING id)
    INSERT INTO policy_versions (org_id, policy_id, revision, version, status, name, activity_kind, rule, action)
    SELECT $1, p.id, 1, 1, 'Active', b.body ->> 'name', b.body ->> 'activityKind', b.body -> 'rule', b.body -> 'action'
    FROM policy p, (SELECT $2::jsonb AS body) b
    RETURNING policy_id, name, status, activity_kind, rule, action, filters, date_created`,
};
const POLICY = JSON.stringify({
  name: 'Everything waits',
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'Block' },
});

type Sampled = {
  readonly latenciesMs: number[];
  readonly perSecond: number[];
  readonly cpuMs: number[];
  readonly postgresMs: number[];
};
type Loaded = { readonly seconds: number; readonly latenciesMs: readonly number[] };

/** Compares a read with a token, and a change with a signed user action, with a bare Koa route each. */
export const auth: Bench = {
  name: 'auth',
  run: async ({ size, say }) => {
    const postgres = await startBenchPostgres();
    const readers = startProgram<LoadOrder, LoadAnswer>('load-process');
    const writers = startProgram<WriteOrder, WriteAnswer>('write-process');
    const bare = startProgram<BareOrder, BareAnswer>('bare-process');
    const tokenKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const api = await startApi({ appUrl: postgres.appUrl, tokenKey, poolMax: POOL_MAX });
    try {
      const rows = await writeTransferRows(postgres);
      await rows.fillTo(Math.max(2_000, Math.round(TABLE_ROWS * size)));
      const reader = await writeReader(postgres.appUrl, rows.orgId, tokenKey);
      const user = await writeSigner(postgres.appUrl, rows.orgId, tokenKey);
      const { port } = await bare.ask({ url: postgres.superuserUrl, poolMax: POOL_MAX, ...BARE_QUERIES });
      const [origin, peer] = [api.origin, `http://127.0.0.1:${port}`];
      const paths = Array.from({ length: PATHS }, (_path, at) => {
        const { walletId, transferId } = rows.row(Math.floor((at * rows.own()) / PATHS));
        return `/wallets/${walletId}/transfers/${transferId}`;
      });
      const token = { authorization: `Bearer ${user.token}` };
      const read = { paths, connections: CONNECTIONS };
      const write = { path: '/v2/policies', body: POLICY, connections: CONNECTIONS };
      const org = { 'x-org': rows.orgId };

      const measure = async (count: number, sides: readonly [Side, Side]): Promise<readonly [Sampled, Sampled]> => {
        const samples = [sampled(), sampled()] as const;
        const round = async (which: 0 | 1, into?: Sampled) => {
          const { pid, load } = sides[which];
          const before = { server: cpuMsOf(pid), postgres: cpuMsOf(postgres.pid) };
          const { seconds, latenciesMs } = await load(count);
          into?.latenciesMs.push(...latenciesMs);
          into?.perSecond.push(count / seconds);
          into?.cpuMs.push((cpuMsOf(pid) - before.server) / count);
          into?.postgresMs.push((cpuMsOf(postgres.pid) - before.postgres) / count);
        };
        for (const which of [0, 1] as const) await round(which);
        for (let at = 0; at < ROUNDS; at += 1) {
          // The order alternates, so that neither side always runs on the warmer machine.
          const order = at % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
          for (const which of order) await round(which, samples[which]);
        }
        return samples;
      };
      const side = (pid: number, load: Side['load']): Side => ({ pid, load });

      const reads = await measure(Math.max(200, Math.round(READS_PER_ROUND * size)), [
        side(api.pid, (count) => readers.ask({ ...read, origin, headers: { authorization: `Bearer ${reader}` }, count })),
        side(bare.pid, (count) => readers.ask({ ...read, origin: peer, headers: org, count })),
      ]);
      say(
        `read: ${percentile(reads[0].latenciesMs, 0.5).toFixed(2)} ms, bare ${percentile(reads[1].latenciesMs, 0.5).toFixed(2)} ms`,
      );
      const writes = await measure(Math.max(50, Math.round(WRITES_PER_ROUND * size)), [
        side(api.pid, (count) => writers.ask({ ...write, origin, headers: token, user, count })),
        side(bare.pid, (count) => writers.ask({ ...write, origin: peer, headers: org, count })),
      ]);
      say(`signed write: ${median(writes[0].cpuMs).toFixed(2)} ms CPU, bare ${median(writes[1].cpuMs).toFixed(2)} ms`);
      return [
        ...comparisons(reads, writes),
        ...cellsOf('read with a token', reads[0]),
        ...cellsOf('bare read', reads[1]),
        ...cellsOf('signed write (three requests)', writes[0]),
        ...cellsOf('bare write', writes[1]),
      ];
    } finally {
      await Promise.all([readers.stop(), writers.stop(), bare.stop(), api.stop()]);
      await postgres.close();
    }
  },
};

type Side = { readonly pid: number; readonly load: (count: number) => Promise<Loaded> };

const sampled = (): Sampled => ({ latenciesMs: [], perSecond: [], cpuMs: [], postgresMs: [] });

function comparisons(reads: readonly [Sampled, Sampled], writes: readonly [Sampled, Sampled]): readonly Figure[] {
  const [read, bareRead] = reads;
  const more = percentile(read.latenciesMs, 0.5) - percentile(bareRead.latenciesMs, 0.5);
  const cpu = median(read.cpuMs) - median(bareRead.cpuMs);
  return [
    { name: 'a read with a token over the bare route, p50', value: more, unit: 'ms', aim: { atMost: READ_P50_MORE_MAX_MS } },
    { name: 'a read with a token over the bare route, CPU', value: cpu, unit: 'ms', aim: { atMost: READ_CPU_MORE_MAX_MS } },
    {
      name: 'a signed write, CPU of its three requests',
      value: median(writes[0].cpuMs),
      unit: 'ms',
      aim: { atMost: WRITE_CPU_MAX_MS },
    },
  ];
}

function cellsOf(row: string, { latenciesMs, perSecond, cpuMs, postgresMs }: Sampled): readonly Figure[] {
  const cell = (column: string) => ({ table: `auth, ${CONNECTIONS} connections`, row, column });
  return [
    { name: '', value: percentile(latenciesMs, 0.5), unit: 'ms', cell: cell('p50') },
    { name: '', value: percentile(latenciesMs, 0.99), unit: 'ms', cell: cell('p99') },
    { name: '', value: median(perSecond), unit: '1/s', cell: cell('per second') },
    { name: '', value: median(cpuMs), unit: 'ms', cell: cell('CPU of the server') },
    { name: '', value: median(postgresMs), unit: 'ms', cell: cell('CPU of Postgres') },
  ];
}
