import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ApiError, createClient } from '../client';
import { sectionOf, stepsOf } from './page';
import { Paper } from './paper';
import { ceremonyRequests, offlineStoreOf } from './service';
import { play, Refused, readRecords, type Stage } from './stage';

/** The ceremonies in the order of the page, each with its sections and the machines that are lost before. */
const CEREMONIES = {
  genesis: { sections: ['Identities', 'Genesis'], lost: [] },
  clone: { sections: ['Clone'], lost: [] },
  rehearsal: { sections: ['Rehearsal of the recovery'], lost: [] },
  harvest: { sections: ['Harvest'], lost: [] },
  operator: { sections: ['Added operator'], lost: [] },
  provisioner: { sections: ['Added provisioner'], lost: [] },
  recover: { sections: ['Recovery'], lost: ['D-1', 'D-2', 'P-2'] },
} as const satisfies Readonly<Record<string, { readonly sections: readonly string[]; readonly lost: readonly string[] }>>;
type Name = keyof typeof CEREMONIES;
const NAMES = Object.keys(CEREMONIES) as Name[];

/** The message explains the error. Any other error is printed with its stack. */
class CeremonyError extends Error {}

const User = z.object({ name: z.string(), token: z.string(), credId: z.string(), privateKeyPem: z.string() });
const FirstRun = z.object({ baseUrl: z.string(), users: z.array(User) });
const Held = z.array(z.enum(NAMES));

function clientsOf(file: string) {
  if (!existsSync(file))
    throw new CeremonyError(`${file} does not exist: start the service with \`npm start\` in another shell first.`);
  const { baseUrl, users } = FirstRun.parse(JSON.parse(readFileSync(file, 'utf8')));
  const [courier, reviewer] = ['admin', 'approver'].map((name) => {
    const user = users.find((one) => one.name === name);
    if (!user) throw new CeremonyError(`${file} has no user "${name}".`);
    return createClient(baseUrl, user);
  });
  if (!courier || !reviewer) throw new CeremonyError(`${file} does not describe a local trial.`);
  return { courier, reviewer };
}

function assertInOrder(name: Name, held: readonly Name[]): void {
  const next = NAMES[held.length];
  if (name === next) return;
  const before = held.includes(name) ? 'It was held already.' : `Hold the ceremonies in order: ${NAMES.join(', ')}.`;
  throw new CeremonyError(`${before} The next one is ${next ?? 'none: all were held'}.`);
}

type Typist = Pick<Stage, 'type' | 'triesAgain'> & { readonly close: () => void };

/** With `--yes` the paper answers. Otherwise Enter types the words on the paper, and other words are typed as they are. */
function createTypist(isYes: boolean): Typist {
  if (isYes) return { type: (_question, onPaper) => onPaper, triesAgain: () => false, close: () => undefined };
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return {
    type: async (_question, onPaper) => (await terminal.question(`    [Enter: ${onPaper}] `)) || onPaper,
    triesAgain: async () => (await terminal.question('    [Enter: run it again, stop: end] ')) !== 'stop',
    close: () => terminal.close(),
  };
}

async function hold(dataFolder: string, names: readonly Name[], isYes: boolean): Promise<void> {
  const { courier, reviewer } = clientsOf(join(dataFolder, 'first-run.json'));
  const storeId = await offlineStoreOf(courier);
  if (storeId === undefined)
    throw new CeremonyError('The organisation has no offline key store. docs/ceremonies.md says how to add one to a trial.');
  const root = join(dataFolder, 'fleets', storeId);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const heldFile = join(root, 'held.json');
  const paper = new Paper();
  const { type, triesAgain, close } = createTypist(isYes);
  const say = (line: string) => console.log(line);
  const people = { courier, reviewer, isOnPaper: (digest: string) => paper.hasManifest(digest) };
  const dist = join(__dirname, '..', '..');
  const page = readFileSync(join(dist, '..', 'docs', 'ceremonies.md'), 'utf8');
  const stage: Stage = {
    ...{ root, paper, say, type, triesAgain, program: join(dist, 'strongroom-offline-signer.mjs') },
    service: ceremonyRequests(storeId, people),
  };
  try {
    readRecords(root, paper);
    for (const name of names) {
      const held = existsSync(heldFile) ? Held.parse(JSON.parse(readFileSync(heldFile, 'utf8'))) : [];
      assertInOrder(name, held);
      const { sections, lost } = CEREMONIES[name];
      say(`\n${sections.join(', ').toUpperCase()}`);
      await play(stage, stepsOf(sections.map((title) => sectionOf(page, title)).join('\n')), lost);
      writeFileSync(heldFile, JSON.stringify([...held, name]));
      say(`\nHeld: ${name}. The folders of the machines, the medium and the records are in ${root}`);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new CeremonyError(`${error.message} To begin again, cancel the open group and delete ${root}.`);
  } finally {
    close();
  }
}

async function main(dataFolder: string, words: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { yes: { type: 'boolean' } },
    allowPositionals: true,
  });
  const names = z.array(z.enum(NAMES)).min(1).safeParse(positionals);
  if (!names.success) throw new CeremonyError(`Usage: npm run ceremony -- ${NAMES.join('|')} … [--yes]`);
  await hold(dataFolder, names.data, values.yes === true);
}

main(process.argv[2] ?? '.data', process.argv.slice(3)).catch((error: unknown) => {
  if (error instanceof CeremonyError) console.error(`\n${error.message}`);
  else if (error instanceof ApiError)
    console.error(`\nThe service refused: ${error.status} ${error.code}: ${error.message}`, error.details ?? '');
  else console.error(error);
  process.exitCode = 1;
});
