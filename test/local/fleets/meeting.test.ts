import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { newFolder, resumed, stepsIn } from '../../../local/fleets/meeting';
import { stepsOf } from '../../../local/fleets/page';
import { Paper } from '../../../local/fleets/paper';
import { keepProgress, progressIn } from '../../../local/fleets/progress';
import { ceremonyRequests } from '../../../local/fleets/service';
import type { Stage } from '../../../local/fleets/stage';

const STEPS = stepsOf(
  [
    'Save the response as `medium/sign/input.json`.',
    '```http\nPOST /key-stores/{storeId}/onchain-sign/input\n{}\n```',
    '```sh\n# D-1\nstrongroom-offline-signer sign --in medium/sign/input.json --out medium/sign\n```',
    '```http\nPOST /key-stores/{storeId}/onchain-sign/output\n```',
    '```sh\n# D-1\nstrongroom-offline-signer show --out medium/signer\n```',
  ].join('\n'),
);
const OUTPUT_STEP = 3;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'strongroom-meeting-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const absent = () => Promise.reject(new Error('the service is not asked'));

function stageAt(status: string): Stage & { readonly said: string[] } {
  const said: string[] = [];
  const get = async <S extends z.ZodType>(path: string, answer: S): Promise<z.output<S>> => {
    expect(path).toBe('/key-stores/ks-1/fleet-operations/fg-1');
    return answer.parse({ groupId: 'fg-1', status, operations: [] });
  };
  const client = { get, change: absent, submit: absent };
  return {
    ...{ root, said, paper: new Paper(), program: 'none', type: () => '', triesAgain: () => false },
    service: ceremonyRequests('ks-1', { courier: client, reviewer: client, isOnPaper: () => true }),
    say: (line) => void said.push(line),
  };
}

function saveInput(): void {
  mkdirSync(join(root, 'medium', 'sign'), { recursive: true });
  const input = { groupId: 'fg-1', orgId: 'or-1', storeId: 'ks-1', signerId: 'sgn-1' };
  writeFileSync(join(root, 'medium', 'sign', 'input.json'), JSON.stringify({ input, signed: { by: '01'.repeat(32) } }));
}
const stopped = (done: number) => ({ done, groupId: 'fg-1', folder: 'medium/sign' });

test('every meeting has a folder of its own on the medium', () => {
  expect(newFolder(root, STEPS)).toBe('medium/sign');
  saveInput();
  expect(newFolder(root, STEPS)).toBe('medium/sign-2');
  mkdirSync(join(root, 'medium', 'sign-2'));
  expect(newFolder(root, STEPS)).toBe('medium/sign-3');
});

test('the steps name the folder of the meeting, and the first device that is left signs', () => {
  for (const machine of ['D-2', 'D-3']) mkdirSync(join(root, machine, 'state'), { recursive: true });
  expect(stepsIn(root, STEPS, 'medium/sign-2').filter(({ kind }) => kind === 'command')).toEqual([
    { kind: 'command', machine: 'D-2', words: ['sign', '--in', 'medium/sign-2/input.json', '--out', 'medium/sign-2'] },
    { kind: 'command', machine: 'D-1', words: ['show', '--out', 'medium/signer'] },
  ]);
});

test.each([
  ['Initialized', OUTPUT_STEP, OUTPUT_STEP],
  ['InReview', OUTPUT_STEP, OUTPUT_STEP + 1],
  ['Approved', OUTPUT_STEP, OUTPUT_STEP + 1],
  ['Approved', OUTPUT_STEP + 1, OUTPUT_STEP + 1],
])('a meeting whose group is %s goes on after step %i with step %i', async (status, done, next) => {
  saveInput();
  const stage = stageAt(status);
  expect(await resumed(stage, STEPS, stopped(done))).toEqual(stopped(next));
  expect(stage.paper.lines()).toEqual(['Signer         0101 0101 0101 0101 0101 0101 0101 0101']);
});

test.each(['Canceled', 'Rejected'])(
  'a meeting whose group is %s begins again with a new input in a new folder',
  async (status) => {
    saveInput();
    const stage = stageAt(status);
    const at = STEPS.findIndex((step) => step.kind === 'request');
    expect(await resumed(stage, STEPS, stopped(OUTPUT_STEP))).toEqual({ done: at, groupId: '', folder: 'medium/sign-2' });
    expect(stage.said).toEqual([expect.stringContaining(`The group fg-1 is ${status}`)]);
  },
);

test('a meeting without a group goes on where it stopped, without asking the service', async () => {
  const position = { done: 1, groupId: '', folder: 'medium/sign' };
  expect(await resumed(stageAt('Canceled'), STEPS, position)).toEqual(position);
});

test('the progress is kept', () => {
  expect(progressIn(root)).toEqual({ held: [] });
  const progress = { held: ['genesis'], begun: { name: 'sign', ...stopped(2) } };
  keepProgress(root, progress);
  keepProgress(root, progress);
  expect(progressIn(root)).toEqual(progress);
});
