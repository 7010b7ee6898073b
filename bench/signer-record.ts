import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../platform/ids';
import type { Bench, Figure } from './bench';
import { residentBytesOf } from './cpu';
import { median, percentile } from './percentiles';
import { startProgram } from './program';
import type { FillAnswer, FillOrder } from './signer-fill-process';
import { type BenchSigner, KEK_HEX, startSigner } from './signer-process';
import { transferOrder } from './transfer-order';

const SIGNATURES = 1_000_000;
const SIGNATURES_PER_KEY = 100;
const MEMBERS = 100_000;
const MEMBERS_EACH = 1_000;
const ORDERS = 2_000;
const ORDERS_IN_TURN = 100;
const STARTS = 5;
const START_MAX_S = 2;
const ANONYMOUS_MAX_MB = 150;
/** The rebuild reads the whole journal before the signer replies. */
const REBUILD_TIMEOUT_MS = 3 * 60 * 60_000;
const BYTES_PER_MB = 1_000_000;
const KEY = { orgId: newId('organization'), keyId: newId('key') };
const SIDES = ['empty', 'filled'] as const;
type Side = (typeof SIDES)[number];

type Say = (line: string) => void;
type Resident = ReturnType<typeof residentBytesOf>;
type Measured = {
  readonly startSeconds: number;
  readonly afterStart: Resident;
  readonly afterOrders: Resident;
  readonly latenciesMs: readonly number[];
};
type BySide<T> = Readonly<Record<Side, T>>;

/**
 * Compares a filled folder with an empty folder: the start, the memory and the orders of the signer. The filled folder has
 * `SIGNATURES` × `size` signatures, and charters with `MEMBERS` × `size` members. The bench also measures the time in which a
 * lost index is rebuilt, and the bytes on the disk.
 */
export const signerRecord: Bench = {
  name: 'signer-record',
  run: async ({ size, say }) => {
    const folder = mkdtempSync(join(tmpdir(), 'strongroom-bench-record-'));
    const folders = { empty: join(folder, 'empty'), filled: join(folder, 'filled') };
    const signatures = Math.max(1_000, Math.round(SIGNATURES * size));
    const keys = Math.ceil(signatures / SIGNATURES_PER_KEY);
    const organizations = Math.max(1, Math.round((MEMBERS / MEMBERS_EACH) * size));
    try {
      const into = { stateDir: folders.filled, kekHex: KEK_HEX, key: KEY };
      const { seconds } = await fill({ ...into, keys, signatures, organizations: 0, membersEach: 0 });
      say(`${signatures} signatures written at ${Math.round(signatures / seconds)}/s`);
      const bytes = bytesOf(folders.filled, signatures);
      await fill({ ...into, keys: 0, signatures: 0, organizations, membersEach: MEMBERS_EACH });
      say(`charters of ${organizations} organisations written, with ${MEMBERS_EACH} members each`);
      say(`${bytes.journal.toFixed(0)} bytes of journal and ${bytes.index.toFixed(0)} of index for each`);
      const measured = await measureSides(folders, signatures, say);
      const alone = bytesOf(folders.empty, ORDERS);
      const rebuilt = await rebuild(folders.filled, signatures + ORDERS, say);
      const entries = signatures + keys + organizations + ORDERS;
      return [
        ...ratios(measured, `${signatures} signatures and ${organizations * MEMBERS_EACH} members`),
        { name: 'rebuild of the index', value: rebuilt, unit: 's', note: `${entries} entries, with the start` },
        { name: 'rebuild of the index, entries', value: entries / rebuilt, unit: '1/s' },
        { name: 'journal, a signature', value: bytes.journal, unit: 'bytes', note: 'and a hundredth of a key' },
        { name: 'journal, a signature that one seal covers alone', value: alone.journal, unit: 'bytes', note: 'one client' },
        { name: 'index, a signature', value: bytes.index, unit: 'bytes', note: 'and a hundredth of a key' },
        { name: 'filling, signatures', value: signatures / seconds, unit: '1/s', note: 'with JIT, and without arithmetic' },
        ...SIDES.flatMap((side) => cellsOf(side, measured[side])),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function fill(order: FillOrder): Promise<FillAnswer> {
  const program = startProgram<FillOrder, FillAnswer>('signer-fill-process');
  const answer = await program.ask(order);
  await program.stop();
  return answer;
}

/** The bytes of the journal and of the index per signature. */
function bytesOf(stateDir: string, signatures: number): { readonly journal: number; readonly index: number } {
  const bytesIn = (pattern: RegExp) =>
    readdirSync(stateDir, { recursive: true, encoding: 'utf8' })
      .filter((path) => pattern.test(path))
      .reduce((sum, path) => sum + statSync(join(stateDir, path)).size, 0);
  return { journal: bytesIn(/^journal-\d+\.jsonl$/) / signatures, index: bytesIn(/^index-[^/]+\/./) / signatures };
}

/** Both sides take turns, so that other work on the machine slows both. */
async function measureSides(folders: BySide<string>, signatures: number, say: Say): Promise<BySide<Measured>> {
  const starts: BySide<number[]> = { empty: [], filled: [] };
  for (let start = 1; start < STARTS; start += 1) {
    for (const side of SIDES) {
      const signer = await startSigner('native', { stateDir: folders[side] });
      starts[side].push(signer.startSeconds);
      await signer.stop();
    }
  }
  const signers: BySide<BenchSigner> = {
    empty: await startSigner('native', { stateDir: folders.empty }),
    filled: await startSigner('native', { stateDir: folders.filled }),
  };
  try {
    for (const side of SIDES) starts[side].push(signers[side].startSeconds);
    await assertSignatures(signers.filled, signatures);
    const atStart = { empty: residentBytesOf(signers.empty.pid), filled: residentBytesOf(signers.filled.pid) };
    const latencies = await orderInTurns(signers);
    const of = (side: Side): Measured => ({
      startSeconds: median(starts[side]),
      afterStart: atStart[side],
      afterOrders: residentBytesOf(signers[side].pid),
      latenciesMs: latencies[side],
    });
    const measured = { empty: of('empty'), filled: of('filled') };
    for (const side of SIDES) {
      const { startSeconds, afterOrders, latenciesMs } = measured[side];
      const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => percentile(latenciesMs, share));
      const memory = `${mb(afterOrders.anonymousBytes).toFixed(0)} MB anonymous, ${mb(afterOrders.allBytes).toFixed(0)} MB resident`;
      say(`${side}: start ${startSeconds.toFixed(2)} s, ${memory}, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    }
    return measured;
  } finally {
    await Promise.all(SIDES.map((side) => signers[side].stop()));
  }
}

async function assertSignatures({ client }: BenchSigner, wanted: number): Promise<void> {
  const { logEntries } = await client.health();
  if (logEntries !== wanted) throw new Error(`the signer knows ${logEntries} signatures instead of ${wanted}`);
}

async function orderInTurns(signers: BySide<BenchSigner>): Promise<BySide<readonly number[]>> {
  const latencies: BySide<number[]> = { empty: [], filled: [] };
  const order = { empty: await prepareTransfers(signers.empty), filled: await prepareTransfers(signers.filled) };
  for (let from = 0; from < ORDERS; from += ORDERS_IN_TURN) {
    for (const side of SIDES)
      for (let nonce = from; nonce < from + ORDERS_IN_TURN; nonce += 1) latencies[side].push(await order[side](nonce));
  }
  return latencies;
}

/** On the filled folder, `createKey` returns the existing key. The returned function resolves with milliseconds. */
async function prepareTransfers({ client }: BenchSigner): Promise<(nonce: number) => Promise<number>> {
  const key = await client.createKey({ ...KEY, scheme: 'ECDSA', curve: 'secp256k1' });
  return async (nonce) => {
    const order = transferOrder(key, nonce);
    const started = performance.now();
    await client.signTransfer(order);
    return performance.now() - started;
  };
}

/** The seconds from the start of a signer without its index to the signer's first reply. */
async function rebuild(stateDir: string, signatures: number, say: Say): Promise<number> {
  for (const name of readdirSync(stateDir)) if (name.startsWith('index-')) rmSync(join(stateDir, name), { recursive: true });
  const signer = await startSigner('native', { stateDir, startTimeoutMs: REBUILD_TIMEOUT_MS });
  try {
    await assertSignatures(signer, signatures);
    say(`index rebuilt in ${signer.startSeconds.toFixed(1)} s, ${mb(residentBytesOf(signer.pid).anonymousBytes).toFixed(0)} MB`);
    return signer.startSeconds;
  } finally {
    await signer.stop();
  }
}

const mb = (bytes: number) => bytes / BYTES_PER_MB;

function ratios({ empty, filled }: BySide<Measured>, content: string): readonly Figure[] {
  const p = (share: number) => percentile(filled.latenciesMs, share) / percentile(empty.latenciesMs, share);
  const anonymous = (side: Measured) => mb(side.afterOrders.anonymousBytes);
  const over = (name: string, value: number): Figure => ({ name: `${name}, filled over empty`, value, unit: 'ratio' });
  return [
    {
      name: `start on ${content}`,
      value: filled.startSeconds,
      unit: 's',
      aim: { atMost: START_MAX_S },
      note: `median of ${STARTS}, from the spawn to the first reply`,
    },
    {
      name: `anonymous memory on ${content}`,
      value: anonymous(filled),
      unit: 'MB',
      aim: { atMost: ANONYMOUS_MAX_MB },
      note: `after ${ORDERS} orders`,
    },
    over('start', filled.startSeconds / empty.startSeconds),
    over('anonymous memory after the orders', anonymous(filled) / anonymous(empty)),
    over('order for a transfer, p50', p(0.5)),
    over('order for a transfer, p99', p(0.99)),
  ];
}

function cellsOf(row: Side, { startSeconds, afterStart, afterOrders, latenciesMs }: Measured): readonly Figure[] {
  const cell = (column: string, value: number, unit: Figure['unit']): Figure => ({
    name: '',
    value,
    unit,
    cell: { table: 'the signer on a folder, native arithmetic, one client', row, column },
  });
  return [
    cell('start, s', startSeconds, 's'),
    cell('RSS at start, MB', mb(afterStart.allBytes), 'MB'),
    cell('anonymous at start, MB', mb(afterStart.anonymousBytes), 'MB'),
    cell('RSS after orders, MB', mb(afterOrders.allBytes), 'MB'),
    cell('anonymous after orders, MB', mb(afterOrders.anonymousBytes), 'MB'),
    cell('p50, ms', percentile(latenciesMs, 0.5), 'ms'),
    cell('p99, ms', percentile(latenciesMs, 0.99), 'ms'),
  ];
}
