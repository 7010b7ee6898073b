import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { followRequests } from './carried-requests';
import { newFolder, resumed, stepsIn } from './meeting';
import { keepProgress, type Position, type Progress, progressIn } from './progress';
import { offlineStoreOf } from './service';
import { play, Refused, recordsIn, type Stage } from './stage';
import { CeremonyError, runCeremonies, runningTrial, type Trial } from './trial';
import { keepSheet, SHEET, stepsOfSections, trialStage } from './trial-stage';

type Ceremony = {
  readonly sections: readonly string[];
  /** The machines that are lost before. */
  readonly lost: readonly string[];
  /** A meeting that is held at any time after the genesis. */
  readonly isAtAnyTime?: true;
};

/** The ceremonies in the order of the page. */
const CEREMONIES = {
  genesis: { sections: ['Identities', 'Genesis'], lost: [] },
  clone: { sections: ['Clone'], lost: [] },
  rehearsal: { sections: ['Rehearsal of the recovery'], lost: [] },
  harvest: { sections: ['Harvest'], lost: [] },
  operator: { sections: ['Added operator'], lost: [] },
  provisioner: { sections: ['Added provisioner'], lost: [] },
  recover: { sections: ['Recovery'], lost: ['D-1', 'D-2', 'P-2'] },
  sign: { sections: ['Signing'], lost: [], isAtAnyTime: true },
} as const satisfies Readonly<Record<string, Ceremony>>;
type Name = keyof typeof CEREMONIES;
const NAMES = Object.keys(CEREMONIES) as Name[];
const isAtAnyTime = (name: Name): boolean => 'isAtAnyTime' in CEREMONIES[name];
const IN_ORDER = NAMES.filter((name) => !isAtAnyTime(name));
const USAGE = `Usage: npm run ceremony -- ${[...NAMES, 'cancel'].join('|')} … [--yes]`;

const command = (name: string): string => `\`npm run ceremony -- ${name}\``;

/** A meeting that has not made a group yet binds no one. */
const isOpen = (begun: Progress['begun']): begun is NonNullable<Progress['begun']> => begun !== undefined && begun.groupId !== '';

function assertInOrder(name: Name, { held, begun }: Progress): void {
  if (isOpen(begun) && begun.name !== name)
    throw new CeremonyError(`${begun.name} was begun and has not ended: ${command(begun.name)} goes on where it stopped.`);
  if (isAtAnyTime(name)) {
    if (!held.includes('genesis')) throw new CeremonyError(`The devices have no keys yet: begin with ${command('genesis')}.`);
    return;
  }
  const next = IN_ORDER.find((one) => !held.includes(one));
  if (name === next) return;
  const before = held.includes(name) ? `${name} was held already.` : `Hold the ceremonies in order: ${IN_ORDER.join(', ')}.`;
  throw new CeremonyError(`${before} The next one is ${next ?? 'none: all were held'}.`);
}

type Typist = Pick<Stage, 'type' | 'triesAgain'> & { readonly close: () => void };

function typed(onPaper: string): string {
  console.log(`    [typed: ${onPaper}]`);
  return onPaper;
}

/** With `--yes` the paper answers. Otherwise Enter types the words on the paper, and other words are typed as they are. */
function createTypist(isYes: boolean): Typist {
  if (isYes) return { type: (_question, onPaper) => typed(onPaper), triesAgain: () => false, close: () => undefined };
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<never>((_, reject) => {
    terminal.once('close', () =>
      reject(new CeremonyError('The meeting has stopped. The same command goes on where it stopped.')),
    );
  });
  ended.catch(() => undefined);
  const ask = (question: string): Promise<string> => Promise.race([terminal.question(question), ended]);
  return {
    type: async (_question, onPaper) => (await ask(`    [Enter: ${onPaper}] `)) || onPaper,
    triesAgain: async () => (await ask('    [Enter: run it again, stop: end] ')) !== 'stop',
    close: () => terminal.close(),
  };
}

async function meet(stage: Stage, name: Name, { courier }: Trial): Promise<void> {
  const { root, say } = stage;
  const progress = progressIn(root);
  assertInOrder(name, progress);
  const { sections, lost } = CEREMONIES[name];
  const written = stepsOfSections(sections);
  const before = recordsIn(root);
  say(`\n${sections.join(', ').toUpperCase()}`);
  const keep = (position: Position) => keepProgress(root, { ...progress, begun: { name, ...position } });
  const begun = progress.begun?.name === name ? progress.begun : undefined;
  let from: Position = begun ?? { done: 0, groupId: '', folder: newFolder(root, written) };
  if (isOpen(begun)) say('It goes on where it stopped.');
  if (begun) from = await resumed(stage, stepsIn(root, written, from.folder), from);
  else loseMachines(stage, lost);
  keep(from);
  const steps = stepsIn(root, written, from.folder);
  await play(stage, { steps, from, keep });
  if (name === 'sign') await showRequests(stage, courier, from.folder);
  keepProgress(root, { held: isAtAnyTime(name) ? progress.held : [...progress.held, name] });
  keepSheet(stage);
  const records = recordsIn(root).filter((path) => path.startsWith(`${from.folder}/`) || !before.includes(path));
  say(`\nHeld: ${name}. Everyone in the room prints and signs the records of the machines:`);
  for (const path of records) say(`  ${join(root, path)}`);
  say(`The folders of the machines, the medium and the sheet of paper (${SHEET}) are in ${root}`);
}

function loseMachines({ root, say }: Stage, lost: readonly string[]): void {
  for (const machine of lost) {
    say(`\n${machine} is lost: its folder is deleted.`);
    rmSync(join(root, machine), { recursive: true, force: true });
  }
}

async function showRequests({ root, say }: Stage, courier: Trial['courier'], folder: string): Promise<void> {
  const text = (name: string) => readFileSync(join(root, folder, name), 'utf8');
  say('\nRequests (at the service)');
  for (const line of await followRequests(courier, text('input.json'), text('output.json'))) say(`  | ${line}`);
}

async function cancel({ root, service, say }: Stage): Promise<void> {
  const groupId = await service.openGroup();
  if (groupId === undefined) throw new CeremonyError('The key store has no open group.');
  const path = '/key-stores/{storeId}/fleet-operations/cancel';
  say(`\nCourier (at the service)\n  POST ${path}\n  | ${await service.cancel(path, groupId, 'The meeting was stopped')}`);
  const { held, begun } = progressIn(root);
  const isOver = begun === undefined || isAtAnyTime(begun.name as Name);
  keepProgress(root, isOver ? { held } : { held, begun });
}

async function hold(dataFolder: string, words: readonly Word[], isYes: boolean): Promise<void> {
  const trial = await runningTrial(dataFolder);
  const storeId = await offlineStoreOf(trial.courier);
  if (storeId === undefined)
    throw new CeremonyError('The organisation has no offline key store: start the trial with `npm start -- --with offline`.');
  const { type, triesAgain, close } = createTypist(isYes);
  const stage = trialStage(dataFolder, storeId, trial, { type, triesAgain, say: (line) => console.log(line) });
  try {
    for (const word of words) await (word === 'cancel' ? cancel(stage) : meet(stage, word, trial));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new CeremonyError(
      `${error.message} The same command goes on where it stopped. ${command('cancel')} cancels the group; then it begins again.`,
    );
  } finally {
    close();
  }
}

type Word = Name | 'cancel';
const isWord = (word: string): word is Word => word === 'cancel' || (NAMES as readonly string[]).includes(word);

function readWords(args: readonly string[]): { readonly words: readonly Word[]; readonly isYes: boolean } {
  const words = args.filter((arg) => arg !== '--yes');
  const unknown = words.find((word) => !isWord(word));
  if (unknown !== undefined)
    throw new CeremonyError(`There is no ${unknown.startsWith('-') ? 'option' : 'ceremony'} ${unknown}.\n${USAGE}`);
  if (words.length === 0) throw new CeremonyError(USAGE);
  return { words: words.filter(isWord), isYes: args.includes('--yes') };
}

runCeremonies(async () => {
  const [, , dataFolder = '.data', ...args] = process.argv;
  const { words, isYes } = readWords(args);
  await hold(dataFolder, words, isYes);
});
