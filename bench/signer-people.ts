import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figure } from './bench';
import { adopt, charterSeries, createOperatorKey, largestContent } from './bench-charters';
import { exactCpuMsOf } from './cpu';
import { createJudgedOrganization, JUDGED_CASES, type JudgedCase, type JudgedOrganization } from './judged-organization';
import { median, percentile } from './percentiles';
import { SIGNATORY_FORMS, type SignatoryForm } from './signatory';
import { type BenchSigner, startSigner } from './signer-process';

const ROUNDS = 9;
const ORDERS = 60;
const STARTS = 3;
const CPU_MAX_MS = 2;
const P50_MAX_MS = 3;
const LARGE_MORE_MAX_MS = 1;
const FORM: SignatoryForm = 'Ed25519 keys';
const NAMES: Readonly<Record<JudgedCase, string>> = { Alone: 'initiator alone', Approved: 'initiator and two approvers' };

type Say = (line: string) => void;
type Row = { readonly title: string; readonly organization: JudgedOrganization };
/** Each value is the minimum of all rounds. */
type Measured = { readonly cpuMs: number; readonly p50Ms: number };

/**
 * Measures the cost of the signer's own judgement of people's signatures. The floor is an organisation without a charter, with
 * the same orders and evidence. The bench also measures the cost of the largest charter.
 */
export const signerPeople: Bench = {
  name: 'signer-people',
  run: async ({ size, say }) => {
    const stateDir = mkdtempSync(join(tmpdir(), 'strongroom-bench-people-'));
    const operator = createOperatorKey();
    const start = () => startSigner('native', { stateDir, operatorKeyHex: operator.publicKeyHex });
    let signer = await start();
    try {
      const { signerId } = await signer.client.health();
      const make = (form: SignatoryForm) => createJudgedOrganization(signer.client, form);
      const series = (content: JudgedOrganization['content']) => charterSeries(operator.privateKey, signerId, content);
      const floors = new Map<SignatoryForm, JudgedOrganization>();
      const rows: Row[] = [];
      for (const form of SIGNATORY_FORMS) {
        const [floor, organization] = [await make(form), await make(form)];
        await adopt(stateDir, series(organization.content)());
        floors.set(form, floor);
        rows.push({ title: floorOf(form), organization: floor }, { title: form, organization });
      }
      const organization = await make(FORM);
      const content = largestContent(organization);
      const nextLargest = series(content);
      const adoption = await measureAdoption(signer, () => adopt(stateDir, nextLargest()), rows[0]?.organization, organization);
      const { members, wallets, policies } = content;
      const large = `${members.length} members, ${wallets.length} wallets, ${policies.length} policies`;
      say(`the largest charter: ${large}`);
      say(`adopted in ${adoption.cpuMs.toFixed(0)} ms of CPU, first order ${adoption.firstMs.toFixed(0)} ms`);
      rows.push({ title: LARGEST, organization });
      const measured = await measureRows(signer, rows, size, say);
      const firstMs: number[] = [];
      for (let at = 0; at < STARTS; at += 1) {
        await signer.stop();
        signer = await start();
        await orderMs(signer, floors.get(FORM)?.order('Approved'));
        firstMs.push(await orderMs(signer, organization.order('Approved')));
      }
      return [...ratios(measured), ...ofLargest(measured, adoption, Math.min(...firstMs), large), ...cells(measured)];
    } finally {
      await signer.stop();
      rmSync(stateDir, { recursive: true, force: true });
    }
  },
};

const LARGEST = `${FORM}, the largest charter`;
const floorOf = (form: SignatoryForm) => `${form}, without a charter`;
const nameOf = (title: string, judged: JudgedCase) => `${title}: ${NAMES[judged]}`;

type Order = ReturnType<JudgedOrganization['order']> | undefined;

async function orderMs({ client }: BenchSigner, order: Order): Promise<number> {
  if (order === undefined) throw new Error('there is no order to measure');
  const started = performance.now();
  await client.signTransfer(order);
  return performance.now() - started;
}

/** All rows take turns, so that other work on the machine slows all of them. The first round is a warm-up. */
async function measureRows(
  signer: BenchSigner,
  rows: readonly Row[],
  size: number,
  say: Say,
): Promise<ReadonlyMap<string, Measured>> {
  const lowest = new Map<string, Measured>();
  const count = Math.max(10, Math.round(ORDERS * size));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { title, organization } of rows) {
      for (const judged of JUDGED_CASES) {
        const orders = Array.from({ length: count }, () => organization.order(judged));
        const before = exactCpuMsOf(signer.pid);
        const latenciesMs: number[] = [];
        for (const order of orders) latenciesMs.push(await orderMs(signer, order));
        const cpuMs = (exactCpuMsOf(signer.pid) - before) / count;
        const name = nameOf(title, judged);
        const { cpuMs: leastCpu, p50Ms: leastP50 } = lowest.get(name) ?? { cpuMs: Infinity, p50Ms: Infinity };
        if (round === 0) continue;
        lowest.set(name, { cpuMs: Math.min(cpuMs, leastCpu), p50Ms: Math.min(percentile(latenciesMs, 0.5), leastP50) });
      }
    }
  }
  for (const [name, { cpuMs, p50Ms }] of lowest) say(`${name}: ${cpuMs.toFixed(2)} ms of CPU, p50 ${p50Ms.toFixed(2)} ms`);
  return lowest;
}

type Adoption = { readonly cpuMs: number; readonly longestMs: number; readonly firstMs: number };

/** `longestMs` is the longest time that another organisation's order took during the measurement. */
async function measureAdoption(
  signer: BenchSigner,
  adoptNext: () => Promise<void>,
  other: JudgedOrganization | undefined,
  organization: JudgedOrganization,
): Promise<Adoption> {
  const cpuMs: number[] = [];
  for (let at = 0; at < STARTS; at += 1) {
    const before = exactCpuMsOf(signer.pid);
    await adoptNext();
    cpuMs.push(exactCpuMsOf(signer.pid) - before);
  }
  let isAdopted = false;
  const adopted = adoptNext().finally(() => {
    isAdopted = true;
  });
  let longestMs = 0;
  while (!isAdopted) longestMs = Math.max(longestMs, await orderMs(signer, other?.order('Alone')));
  await adopted;
  return { cpuMs: median(cpuMs), longestMs, firstMs: await orderMs(signer, organization.order('Approved')) };
}

const NONE: Measured = { cpuMs: Number.NaN, p50Ms: Number.NaN };

function ratios(measured: ReadonlyMap<string, Measured>): readonly Figure[] {
  return SIGNATORY_FORMS.flatMap((form) =>
    JUDGED_CASES.flatMap((judged): Figure[] => {
      const [own = NONE, floor = NONE] = [form, floorOf(form)].map((title) => measured.get(nameOf(title, judged)));
      const name = nameOf(form, judged);
      const over = (what: keyof Measured) => {
        const note = `${own[what].toFixed(2)} / ${floor[what].toFixed(2)} ms`;
        return { value: own[what] / floor[what], unit: 'ratio', note } as const;
      };
      const figures: Figure[] = [
        { name: `${name}, CPU over the floor's`, ...over('cpuMs') },
        { name: `${name}, p50 over the floor's`, ...over('p50Ms') },
        { name: `${name}, CPU above the floor's`, value: own.cpuMs - floor.cpuMs, unit: 'ms' },
      ];
      if (judged === 'Alone') return figures;
      const bound = (value: number, atMost: number) => ({ value, unit: 'ms', aim: { atMost } }) as const;
      return [
        ...figures,
        { name: `${name}, CPU`, ...bound(own.cpuMs, CPU_MAX_MS) },
        { name: `${name}, p50`, ...bound(own.p50Ms, P50_MAX_MS) },
      ];
    }),
  );
}

function ofLargest(
  measured: ReadonlyMap<string, Measured>,
  { cpuMs, longestMs, firstMs }: Adoption,
  firstAfterStartMs: number,
  note: string,
): readonly Figure[] {
  const more = JUDGED_CASES.map((judged): Figure => {
    const [large = NONE, small = NONE] = [LARGEST, FORM].map((title) => measured.get(nameOf(title, judged)));
    const value = large.cpuMs - small.cpuMs;
    const name = `the largest charter: ${NAMES[judged]}, CPU above that of a small one`;
    return { name, value, unit: 'ms', aim: { atMost: LARGE_MORE_MAX_MS }, note };
  });
  return [
    ...more,
    { name: 'the largest charter: CPU of the adoption', value: cpuMs, unit: 'ms', note: 'with the polls of the folder' },
    { name: 'the largest charter: longest order of another organisation during the adoption', value: longestMs, unit: 'ms' },
    { name: 'the largest charter: first order after the adoption', value: firstMs, unit: 'ms' },
    { name: 'the largest charter: first order after a start', value: firstAfterStartMs, unit: 'ms', note: `lowest of ${STARTS}` },
  ];
}

function cells(measured: ReadonlyMap<string, Measured>): readonly Figure[] {
  return [...measured].flatMap(([name, { cpuMs, p50Ms }]) => {
    const [row = '', judged = ''] = name.split(': ');
    const cell = (column: string, value: number): Figure => ({
      name: '',
      value,
      unit: 'ms',
      cell: { table: 'an order over the socket, in ms', row, column: `${judged}, ${column}` },
    });
    return [cell('CPU', cpuMs), cell('p50', p50Ms)];
  });
}
