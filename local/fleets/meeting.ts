import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifestDigest } from '../../platform/fleets/manifests';
import { signedFileIn } from '../../platform/fleets/received-output';
import { shortDigest } from '../../platform/fleets/statement';
import type { PageStep } from './page';
import type { Position } from './progress';
import { inputIn } from './service';
import { isInput, runAt, type Stage } from './stage';

/** The devices in the order of the page. After the recovery the first two are lost. */
const DEVICES = ['D-1', 'D-2', 'D-3'] as const;
const SIGNS = 'sign';

const pathOf = (folder: string, name: string) => join(folder, name);

/** The folder in which the page saves the input; every meeting has a new one, as people take a new medium. */
export function newFolder(root: string, steps: readonly PageStep[]): string {
  const wanted = savedFolder(steps);
  let folder = wanted;
  for (let n = 2; existsSync(join(root, folder)); n += 1) folder = `${wanted}-${n}`;
  return folder;
}

const savedFolder = (steps: readonly PageStep[]): string => {
  const saved = steps.find((step) => step.kind === 'saved');
  return saved === undefined ? '' : dirname(saved.path);
};

/** The steps with this folder in place of the page's, and for a signature the first device that is left. */
export function stepsIn(root: string, steps: readonly PageStep[], folder: string): readonly PageStep[] {
  const written = savedFolder(steps);
  const inFolder = (word: string) =>
    word === written || word.startsWith(`${written}/`) ? folder + word.slice(written.length) : word;
  const device = DEVICES.find((one) => existsSync(join(root, one, 'state')));
  return steps.map((step): PageStep => {
    if (step.kind !== 'command') return step;
    const machine = step.words[0] === SIGNS && device !== undefined ? device : step.machine;
    return { ...step, machine, words: step.words.map(inFolder) };
  });
}

const NEXT_AFTER: Readonly<Record<string, readonly string[]>> = {
  output: ['InReview', 'Approved'],
  approve: ['Approved'],
  cancel: ['Canceled'],
};

/**
 * The position from which an interrupted meeting goes on. A request that the service has carried out already is not sent again. If
 * the group has ended otherwise, the machines leave its manifest, and the meeting goes on with a new input.
 */
export async function resumed(stage: Stage, steps: readonly PageStep[], position: Position): Promise<Position> {
  const { groupId, folder, done } = position;
  const saved = join(stage.root, folder, 'input.json');
  if (groupId === '' || !existsSync(saved)) return position;
  stage.paper.readSigner(inputIn(readFileSync(saved, 'utf8')).signed.by);
  const status = await stage.service.statusOf(groupId);
  const next = steps.slice(done).find((step) => step.kind !== 'screen' && step.kind !== 'saved');
  const name = next?.kind === 'request' ? (next.path.split('/').at(-1) ?? '') : '';
  if (NEXT_AFTER[name]?.includes(status)) return { ...position, done: steps.indexOf(next as PageStep) + 1 };
  if (status !== 'Canceled' && status !== 'Rejected') return position;
  const begun = steps.findLastIndex((step, at) => at < done && isInput(step));
  stage.say(`\nThe group ${groupId} is ${status}, so the meeting begins again with a new input.`);
  await leaveManifest(stage, steps.slice(begun, done), folder);
  return { done: begun, groupId: '', folder: newFolder(stage.root, steps) };
}

/** Every machine that may have learned the manifest of the group discards it. The others refuse, because they have none. */
async function leaveManifest(stage: Stage, steps: readonly PageStep[], folder: string): Promise<void> {
  const path = join(stage.root, folder, 'output-file.json');
  if (!existsSync(path)) return;
  const { manifest } = signedFileIn(readFileSync(path, 'utf8')).output;
  if (manifest === null) return;
  const fingerprint = shortDigest(manifestDigest(manifest.manifest));
  const machines = new Set(steps.flatMap((step) => (step.kind === 'command' ? [step.machine] : [])));
  for (const machine of machines) {
    const words = ['discard', '--folder', 'state', '--out', pathOf(folder, machine)];
    await runAt(stage, { machine, words }, fingerprint);
  }
}
