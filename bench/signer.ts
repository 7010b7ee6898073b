import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { CreatedKey, SignPayloadOrder } from '../signer/protocol';
import type { ArithmeticAnswer, ArithmeticForm, ArithmeticOrder } from './arithmetic-process';
import type { Bench, Figure } from './bench';
import { ROOT } from './config';
import { cpuMsOf } from './cpu';
import { median, percentile } from './percentiles';
import { startProgram } from './program';
import { type BenchSigner, startSigner } from './signer-process';

const NATIVE_FOLDER = join(ROOT, 'dist', 'signer', 'native');
const NATIVE_FILE = join(NATIVE_FOLDER, 'strongroom.node');
const FORMS: readonly ArithmeticForm[] = ['ECDSA', 'Schnorr', 'EdDSA', 'P-256'];
const SIDES = ['native', 'portable'] as const;
const ROUNDS = 5;
const SIGNATURES = { native: 4_000, portable: 150 };
const ORDERS = 400;
const CLIENTS = 16;
const NATIVE_OVER_NOBLE_MIN = 10;
const OVER_BARE_MAX = 2;
const P50_MAX_MS = 1;

type Perform = (form: ArithmeticForm, count: number) => Promise<number>;

/**
 * Measures signatures per second of CPU time, and the cost of an order over the socket. The signer opens the key again before
 * each signature. The native arithmetic and the bare library need a C compiler.
 */
export const signer: Bench = {
  name: 'signer',
  run: async ({ size, say }) => {
    if (!existsSync(NATIVE_FILE)) throw new Error('There is no native arithmetic to measure: this machine has no C compiler.');
    const folder = mkdtempSync(join(tmpdir(), 'strongroom-bench-native-'));
    const program = startProgram<ArithmeticOrder, ArithmeticAnswer>('arithmetic-process');
    try {
      const bare = compileBare(folder);
      const ours =
        (arithmetic: 'native' | 'portable'): Perform =>
        async (form, count) =>
          (await program.ask({ arithmetic, nativeFile: NATIVE_FILE, form, count })).cpuMs;
      const performs: Record<string, Perform> = { native: ours('native'), portable: ours('portable'), bare };
      const perSecond = await measureCpu(performs, size);
      for (const [name, value] of perSecond) say(`${name}: ${Math.round(value)}/s of CPU`);
      return [...cpuFigures(perSecond), ...(await measureSocket(size, say))];
    } finally {
      await program.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

function compileBare(folder: string): Perform {
  const out = join(folder, 'bare-signing');
  const library = z.array(z.string()).parse(JSON.parse(readFileSync(join(NATIVE_FOLDER, 'library.json'), 'utf8')));
  const main = join(ROOT, 'bench', 'floors', 'bare-signing.c');
  execFileSync('cc', ['-O2', '-w', main, ...library, `-Wl,-rpath,${NATIVE_FOLDER}`, '-o', out]);
  return async (form, count) => Number(execFileSync(out, [form, String(count)], { encoding: 'utf8' })) / 1e6;
}

/**
 * The bare library supports only the forms on secp256k1. OpenSSL computes P-256 for every implementation, so only `native`
 * measures P-256.
 */
const isMeasured = (name: string, form: ArithmeticForm) =>
  form === 'P-256' ? name === 'native' : name !== 'bare' || form === 'ECDSA' || form === 'Schnorr';

/** Signatures per second of CPU time, as the median over the rounds. Within a round all implementations take turns. */
async function measureCpu(performs: Record<string, Perform>, size: number): Promise<ReadonlyMap<string, number>> {
  const rates = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const form of FORMS) {
      for (const [name, perform] of Object.entries(performs)) {
        if (!isMeasured(name, form)) continue;
        const count = Math.max(
          20,
          Math.round(SIGNATURES[name === 'portable' && form !== 'EdDSA' ? 'portable' : 'native'] * size),
        );
        const cpuMs = await perform(form, count);
        // The first round is a warm-up.
        if (round > 0) rates.set(`${name} ${form}`, [...(rates.get(`${name} ${form}`) ?? []), (count * 1_000) / cpuMs]);
      }
    }
  }
  return new Map([...rates].map(([name, values]) => [name, median(values)]));
}

function cpuFigures(perSecond: ReadonlyMap<string, number>): Figure[] {
  const rate = (name: string) => perSecond.get(name) ?? 0;
  const table = 'signatures per second of CPU time; each includes opening the key and verifying the signature';
  const note = 'opening the sealed key, signing, verifying';
  return [
    {
      name: 'ECDSA, native over noble',
      value: rate('native ECDSA') / rate('portable ECDSA'),
      unit: 'ratio',
      aim: { atLeast: NATIVE_OVER_NOBLE_MIN },
      note,
    },
    {
      name: 'ECDSA, bare library over ours',
      value: rate('bare ECDSA') / rate('native ECDSA'),
      unit: 'ratio',
      aim: { atMost: OVER_BARE_MAX },
      note: 'the bare one signs and recovers, and opens nothing',
    },
    {
      name: 'BIP340, bare library over ours',
      value: rate('bare Schnorr') / rate('native Schnorr'),
      unit: 'ratio',
      aim: { atMost: OVER_BARE_MAX },
    },
    ...[...perSecond].map(([name, value]): Figure => {
      const [column = '', ...form] = name.split(' ');
      return { name: '', value, unit: '1/s', cell: { table, row: form.join(' '), column } };
    }),
  ];
}

async function measureSocket(size: number, say: (line: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  const count = Math.max(40, Math.round(ORDERS * size));
  const signers = { native: await startSigner('native'), portable: await startSigner('portable') };
  try {
    for (const form of FORMS.filter((one) => one !== 'P-256')) {
      for (const side of SIDES) {
        const signing = await prepareOrders(signers[side], form);
        await signing.alone(20);
        const alone = await signing.alone(count);
        const before = cpuMsOf(signers[side].pid);
        const together = await signing.together(count);
        const cpuMs = (cpuMsOf(signers[side].pid) - before) / count;
        const cell = (column: string) => ({ table: `orders over the socket, ${side}`, row: form, column });
        const p50 = percentile(alone, 0.5);
        say(`${form} ${side}: p50 ${p50.toFixed(2)} ms alone, ${together.perSecond.toFixed(0)}/s with ${CLIENTS} at once`);
        if (form === 'ECDSA' && side === 'native')
          figures.push({
            name: 'ECDSA over the socket, one client, p50',
            value: p50,
            unit: 'ms',
            aim: { atMost: P50_MAX_MS },
            note: 'the log is on the medium before the answer',
          });
        figures.push(
          { name: '', value: p50, unit: 'ms', cell: cell('p50, one client') },
          { name: '', value: percentile(alone, 0.99), unit: 'ms', cell: cell('p99, one client') },
          { name: '', value: percentile(together.latenciesMs, 0.5), unit: 'ms', cell: cell(`p50, ${CLIENTS} at once`) },
          { name: '', value: percentile(together.latenciesMs, 0.99), unit: 'ms', cell: cell(`p99, ${CLIENTS} at once`) },
          { name: '', value: together.perSecond, unit: '1/s', cell: cell('per second') },
          { name: '', value: cpuMs, unit: 'ms', cell: cell('CPU of the signer') },
        );
      }
    }
    return figures;
  } finally {
    await Promise.all([signers.native.stop(), signers.portable.stop()]);
  }
}

/** Creates a key, and returns functions that order signatures with the key, one after another or several at once. */
export async function prepareOrders({ client }: BenchSigner, form: ArithmeticForm) {
  const orgId = 'or-bench';
  const scheme = form === 'P-256' ? 'ECDSA' : form;
  const curve = form === 'EdDSA' ? 'ed25519' : 'secp256k1';
  const key: CreatedKey = await client.createKey({ orgId, keyId: `key-${form}`, scheme, curve });
  const orderOf = (): SignPayloadOrder => ({
    requestId: `sig-${randomBytes(8).toString('hex')}`,
    orgId,
    keyId: key.sealed.keyId,
    sealed: key.sealed,
    dek: key.dek,
    payload: { kind: 'Hash', digestHex: `0x${randomBytes(32).toString('hex')}` },
    evidence: [],
    policyEpoch: 0,
    issuedAt: new Date().toISOString(),
    notAfter: new Date(Date.now() + 60_000).toISOString(),
  });
  const timed = async () => {
    const started = performance.now();
    await client.signPayload(orderOf());
    return performance.now() - started;
  };
  const alone = async (count: number): Promise<number[]> => {
    const latenciesMs: number[] = [];
    for (let at = 0; at < count; at += 1) latenciesMs.push(await timed());
    return latenciesMs;
  };
  const together = async (count: number) => {
    const started = performance.now();
    const parts = await Promise.all(Array.from({ length: CLIENTS }, () => alone(Math.ceil(count / CLIENTS))));
    const latenciesMs = parts.flat();
    return { latenciesMs, perSecond: (latenciesMs.length * 1_000) / (performance.now() - started) };
  };
  return { alone, together };
}
