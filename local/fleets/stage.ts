import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from './machine';
import type { PageStep } from './page';
import type { Paper } from './paper';
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

/** Reads the fingerprints in the records of earlier meetings, oldest first. */
export function readRecords(root: string, paper: Paper): void {
  const medium = join(root, MEDIUM);
  if (!existsSync(medium)) return;
  const records = readdirSync(medium, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), time: Number(RECORD.exec(entry.name)?.[1] ?? 0) }))
    .filter(({ time }) => time > 0)
    .sort((one, other) => one.time - other.time);
  for (const { path } of records) paper.read(readFileSync(path, 'utf8').split('\n'));
}

/** The folder of a machine, with a link to the medium that the machine's people hold at the moment. */
function folderOf(root: string, machine: string): string {
  mkdirSync(join(root, MEDIUM), { recursive: true });
  const folder = join(root, machine);
  if (mkdirSync(folder, { recursive: true }) !== undefined) symlinkSync(join('..', MEDIUM), join(folder, MEDIUM));
  return folder;
}

const rolls = (): string => Array.from({ length: DICE_ROLLS }, () => String(randomInt(1, 7))).join('');

async function command(stage: Stage, machine: string, words: readonly string[]): Promise<void> {
  const { root, program, paper, say, type, triesAgain } = stage;
  const role = ROLES[machine.slice(0, 1) as keyof typeof ROLES];
  say(`\n${machine} (${role})`);
  say(`  $ strongroom-offline-signer ${words.join(' ')}`);
  const person = { pin: `trial sentence of the machine ${machine}`, rolls };
  const answer = (question: string) => type(question, paper.answerTo(question, person) ?? '');
  const { code, lines } = await runProgram({
    ...{ program, folder: folderOf(root, machine), words, answer },
    show: (line) => say(`  | ${line}`),
  });
  if (code === 0) paper.read(lines);
  else if (await triesAgain()) await command(stage, machine, words);
  else throw new Refused(`${machine} refused, and nothing after this step was done.`);
}

type Open = { readonly folder: string; readonly groupId: string };

async function request(stage: Stage, { path, body }: { path: string; body: unknown }, open: Open): Promise<void> {
  const { service, say, root } = stage;
  const text = (name: string) => readFileSync(join(root, open.folder, name), 'utf8');
  const speaker = path.endsWith('/approve') ? 'Reviewer' : 'Courier';
  say(`\n${speaker} (at the service)\n  POST ${path}`);
  if (path.endsWith('/output'))
    say(`  | ${await service.output(path, { json: text('output.json'), file: text('output-file.json') })}`);
  else if (path.endsWith('/approve')) say(`  | ${await service.approve(path, open.groupId)}`);
  else if (path.endsWith('/cancel'))
    say(`  | ${await service.cancel(path, open.groupId, String((body as { reason?: string }).reason))}`);
}

async function input(stage: Stage, { path, body }: { path: string; body: unknown }, saved: string): Promise<Open> {
  const { service, say, root, paper } = stage;
  say(`\nCourier (at the service)\n  POST ${path}\n  ${JSON.stringify(body)}`);
  const text = await service.input(path, body);
  const { input: asked, signed } = inputIn(text);
  paper.readSigner(signed.by);
  mkdirSync(join(root, dirname(saved)), { recursive: true });
  writeFileSync(join(root, saved), text);
  say(`  | group ${asked.groupId} of the key store ${asked.storeId}; the archive is ${saved}`);
  return { folder: dirname(saved), groupId: asked.groupId };
}

/** Plays the steps of one section of the page. `lost` are the machines that are lost before. */
export async function play(stage: Stage, steps: readonly PageStep[], lost: readonly string[]): Promise<void> {
  for (const machine of lost) {
    stage.say(`\n${machine} is lost: its folder is deleted.`);
    rmSync(join(stage.root, machine), { recursive: true, force: true });
  }
  const saved = steps.find((step) => step.kind === 'saved')?.path ?? '';
  let open: Open = { folder: '', groupId: '' };
  for (const step of steps) {
    if (step.kind === 'command') await command(stage, step.machine, step.words);
    else if (step.kind === 'request' && step.method === 'POST') {
      if (step.path.endsWith('/input')) open = await input(stage, step, saved);
      else await request(stage, step, open);
    }
  }
}
