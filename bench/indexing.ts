import type { Bench, Figure } from './bench';
import { cpuMsOf } from './cpu';
import { writeOrganizations } from './event-rows';
import { LOGS_PER_BLOCK, type LogChain, startLogChain } from './log-chain';
import { installPonder, runPonder } from './ponder';
import { type BenchPostgres, startBenchPostgres } from './postgres';
import { startProgram } from './program';
import type { ScanAnswer, ScanOrder } from './scan-process';
import { writeWatches } from './watched-rows';

const BLOCKS = 10_000;
const ROUNDS = 5;
const SETTINGS = [
  { name: 'every recipient watched', everyRecipient: 1 },
  { name: '10 of 10,000 recipients watched', everyRecipient: 1_000 },
] as const;
type Setting = (typeof SETTINGS)[number];
type Sample = ScanAnswer & { readonly postgresMs: number; readonly found: number };

const AIMS = { shareOfPeer: 0.7, shareOfFloor: 0.6 } as const;

/**
 * Compares the scanner with a widely used indexer (the peer), and with a program that only reads and proves the same blocks
 * (the floor).
 */
export const indexing: Bench = {
  name: 'indexing',
  run: async ({ size, say }) => {
    const peer = await installPonder();
    const postgres = await startBenchPostgres();
    const blocks = Math.max(100, Math.round(BLOCKS * size));
    const chain = await startLogChain(blocks);
    try {
      say(`${blocks} blocks of ${LOGS_PER_BLOCK} logs`);
      const [orgId = ''] = await writeOrganizations(postgres, 1);
      const figures: Figure[] = [];
      for (const setting of SETTINGS) {
        const expected = Math.floor((blocks * LOGS_PER_BLOCK) / setting.everyRecipient);
        const samples = { floor: [] as Sample[], ours: [] as Sample[], peer: [] as Sample[] };
        for (let round = 0; round < ROUNDS; round += 1) {
          const turns = [
            async () => samples.floor.push(await floorOf(chain)),
            async () => samples.ours.push(await scanned(chain, postgres, { orgId, ...setting })),
            async () => samples.peer.push(await runPonder(peer, { chain, postgres, expected, ...setting })),
          ];
          for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
          say(`${setting.name}, round ${round + 1}: ${spoken(samples)}`);
        }
        figures.push(...figuresOf(setting, { blocks, expected }, samples));
      }
      return figures;
    } finally {
      await chain.stop();
      await postgres.close();
    }
  },
};

async function floorOf(chain: LogChain): Promise<Sample> {
  const program = startProgram<ScanOrder, ScanAnswer>('scan-process');
  const answer = await program.ask({ order: 'floor', url: chain.url, toHeight: await chain.head() });
  await program.stop();
  return { ...answer, postgresMs: 0, found: 0 };
}

async function scanned(chain: LogChain, postgres: BenchPostgres, rows: Setting & { readonly orgId: string }): Promise<Sample> {
  await writeWatches(postgres, rows);
  const program = startProgram<ScanOrder, ScanAnswer>('scan-process');
  const beforeMs = cpuMsOf(postgres.pid);
  const { workerUrl, relayUrl } = postgres;
  const answer = await program.ask({ order: 'scan', url: chain.url, workerUrl, relayUrl });
  await program.stop();
  const [counted] = await postgres.query<{ found: number }>('SELECT count(*)::float8 AS found FROM movements');
  return { ...answer, postgresMs: cpuMsOf(postgres.pid) - beforeMs, found: counted?.found ?? 0 };
}

type Samples = Readonly<Record<'floor' | 'ours' | 'peer', readonly Sample[]>>;

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const spoken = (samples: Samples) =>
  Object.entries(samples)
    .map(([name, of]) => `${name} ${of.at(-1)?.seconds.toFixed(1)} s`)
    .join(', ');

type Sizes = { readonly blocks: number; readonly expected: number };

function figuresOf(setting: Setting, { blocks, expected }: Sizes, samples: Samples): readonly Figure[] {
  for (const { found } of samples.ours)
    if (found !== expected) throw new Error(`The scanner found ${found} of ${expected} transfers`);
  const of = (side: keyof Samples, member: keyof Sample) => median(samples[side].map((sample) => sample[member]));
  const cell = (row: string, column: string) => ({ table: setting.name, row, column });
  const sides = (['floor', 'ours', 'peer'] as const).flatMap((side): Figure[] => [
    { name: `${side} blocks`, value: blocks / of(side, 'seconds'), unit: '1/s', cell: cell(side, 'blocks') },
    { name: `${side} logs`, value: (blocks * LOGS_PER_BLOCK) / of(side, 'seconds'), unit: '1/s', cell: cell(side, 'logs') },
    { name: `${side} CPU`, value: of(side, 'cpuMs') / blocks, unit: 'ms', cell: cell(side, 'CPU per block') },
    { name: `${side} Postgres`, value: of(side, 'postgresMs') / blocks, unit: 'ms', cell: cell(side, 'Postgres CPU per block') },
    { name: `${side} memory`, value: of(side, 'maxBytes') / 1_000_000, unit: 'MB', cell: cell(side, 'memory') },
  ]);
  const ratio = (member: 'seconds' | 'cpuMs' | 'maxBytes') => of('ours', member) / of('peer', member);
  const name = (what: string) => `${setting.name}: ${what}`;
  return [
    ...sides,
    { name: name('CPU, share of the peer'), value: ratio('cpuMs'), unit: 'ratio', aim: { atMost: AIMS.shareOfPeer } },
    { name: name('memory, share of the peer'), value: ratio('maxBytes'), unit: 'ratio', aim: { atMost: AIMS.shareOfPeer } },
    { name: name('throughput, times the peer'), value: 1 / ratio('seconds'), unit: 'ratio', aim: { atLeast: 1 } },
    {
      name: name('throughput, share of the floor'),
      value: of('floor', 'seconds') / of('ours', 'seconds'),
      unit: 'ratio',
      aim: { atLeast: AIMS.shareOfFloor },
    },
  ];
}
