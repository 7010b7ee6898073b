import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './machine';
import type { PageStep } from './page';
import type { Paper } from './paper';
import type { Position } from './progress';
import { type CeremonyRequests, inputIn } from './service';

const MEDIUM = 'medium';
const RECORD = /^record-.*-(\d+)\.txt$/;
const ROLES = { D: 'device, two people', P: 'provisioner', M: 'operator' } as const;
const DICE_ROLLS = 60;

/** A program refused a command, and the people did not try again. */
export class Refused extends Error {}

export type Stage = {
  /** The folder that contains the folders of all machines and the medium. */
  readonly root: string;
  readonly program: string;
  readonly paper: Paper;
  readonly service: CeremonyRequests;
  readonly say: (line: string) => void;
  /** Shows the question with the words on the paper, and returns what is typed. */
  readonly type: (question: string, onPaper: string) => string | Promise<string>;
  /** True if the people run a refused command again. */
  readonly triesAgain: () => boolean | Promise<boolean>;
};

/** The records of all meetings, oldest first, as paths below `root`. */
export function recordsIn(root: string): readonly string[] {
  if (!existsSync(join(root, MEDIUM))) return [];
  return readdirSync(join(root, MEDIUM), { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path: join(MEDIUM, path), time: Number(RECORD.exec(path.split('/').at(-1) ?? '')?.[1] ?? 0) }))
    .filter(({ time }) => time > 0)
    .sort((one, other) => one.time - other.time)
    .map(({ path }) => path);
}

/** Reads the fingerprints in the records of earlier meetings, oldest first. */
export function readRecords(root: string, paper: Paper): void {
  for (const path of recordsIn(root)) paper.read(readFileSync(join(root, path), 'utf8').split('\n'));
}

/** The folder of a machine, with a link to the medium that the machine's people hold at the moment. */
function folderOf(root: string, machine: string): string {
  mkdirSync(join(root, MEDIUM), { recursive: true });
  const folder = join(root, machine);
  mkdirSync(folder, { recursive: true });
  const link = join(folder, MEDIUM);
  if (!existsSync(link)) symlinkSync(join('..', MEDIUM), link);
  return folder;
}

const rolls = (): string => Array.from({ length: DICE_ROLLS }, () => String(randomInt(1, 7))).join('');

type Call = { readonly machine: string; readonly words: readonly string[] };

/** Runs the command once. `fromPaper` replaces what the sheet says. */
export async function runAt(stage: Stage, { machine, words }: Call, fromPaper?: string): Promise<boolean> {
  const { root, program, paper, say, type } = stage;
  const role = ROLES[machine.slice(0, 1) as keyof typeof ROLES];
  say(`\n${machine} (${role})`);
  say(`  $ strongroom-offline-signer ${words.join(' ')}`);
  const person = { pin: `trial sentence of the machine ${machine}`, rolls };
  const answer = (question: string) => {
    const typed = fromPaper !== undefined && question.endsWith(' from paper: ') ? fromPaper : undefined;
    return type(question, typed ?? paper.answerTo(question, person) ?? '');
  };
  const { code, lines } = await runProgram({
    ...{ program, folder: folderOf(root, machine), words, answer },
    show: (line) => say(`  | ${line}`),
  });
  if (code === 0) paper.read(lines);
  return code === 0;
}

/** A machine has one identity. One whose card never reached the medium is worth nothing, and is made again. */
function hasIdentity({ root, say }: Stage, machine: string): boolean {
  const isMade = existsSync(join(root, machine, 'state', 'state.sealed'));
  if (!isMade) return false;
  if (existsSync(join(root, MEDIUM, machine, 'card.json'))) {
    say(`\n${machine} has its identity already.`);
    return true;
  }
  rmSync(join(root, machine), { recursive: true, force: true });
  return false;
}

async function command(stage: Stage, call: Call): Promise<void> {
  const { machine, words } = call;
  if (words[0] === 'identity' && hasIdentity(stage, machine)) return;
  while (!(await runAt(stage, call)))
    if (!(await stage.triesAgain())) throw new Refused(`${machine} refused, and nothing after this step was done.`);
}

type Asked = { readonly path: string; readonly body: unknown };

async function request(stage: Stage, { path, body }: Asked, { folder, groupId }: Position): Promise<void> {
  const { service, say, root } = stage;
  const text = (name: string) => readFileSync(join(root, folder, name), 'utf8');
  const speaker = path.endsWith('/approve') ? 'Reviewer' : 'Courier';
  say(`\n${speaker} (at the service)\n  POST ${path}`);
  if (path.endsWith('/output'))
    say(`  | ${await service.output(path, { json: text('output.json'), file: text('output-file.json') })}`);
  else if (path.endsWith('/approve')) say(`  | ${await service.approve(path, groupId)}`);
  else if (path.endsWith('/cancel'))
    say(`  | ${await service.cancel(path, groupId, String((body as { reason?: string }).reason))}`);
}

async function input(stage: Stage, { path, body }: Asked, folder: string): Promise<string> {
  const { service, say, root, paper } = stage;
  say(`\nCourier (at the service)\n  POST ${path}\n  ${JSON.stringify(body)}`);
  const text = await service.input(path, body);
  const { input: asked, signed } = inputIn(text);
  paper.readSigner(signed.by);
  mkdirSync(join(root, folder), { recursive: true });
  const saved = join(folder, 'input.json');
  writeFileSync(join(root, saved), text);
  say(`  | group ${asked.groupId} of the key store ${asked.storeId}; the archive is ${saved}`);
  return asked.groupId;
}

export type Meeting = {
  readonly steps: readonly PageStep[];
  /** The position from which the meeting goes on. */
  readonly from: Position;
  /** Called after each step. */
  readonly keep?: (position: Position) => void;
};

/** Plays the steps of a meeting. */
export async function play(stage: Stage, { steps, from, keep = () => undefined }: Meeting): Promise<void> {
  let position = from;
  for (const [at, step] of steps.entries()) {
    if (at < from.done) continue;
    let { groupId } = position;
    if (step.kind === 'command') await command(stage, step);
    else if (step.kind === 'request' && step.method === 'POST') {
      if (isInput(step)) groupId = await input(stage, step, position.folder);
      else await request(stage, step, position);
    }
    position = { ...position, groupId, done: at + 1 };
    keep(position);
  }
}

export const isInput = (step: PageStep): boolean => step.kind === 'request' && step.path.endsWith('/input');
