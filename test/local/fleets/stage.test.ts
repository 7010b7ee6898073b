import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepsOf } from '../../../local/fleets/page';
import { Paper } from '../../../local/fleets/paper';
import { ceremonyRequests } from '../../../local/fleets/service';
import { play, Refused, readRecords, type Stage } from '../../../local/fleets/stage';

/** Asks one question, and refuses every answer but `right`. */
const PROGRAM = `
process.stdout.write('Serial         P-1\\nType the fingerprint of the provisioner P-1 from paper: ');
process.stdin.once('data', (typed) => {
  process.stdout.write('\\n');
  process.stdin.destroy();
  if (String(typed).trim() === 'right') return;
  process.stderr.write('REFUSED: This is not the fingerprint.\\n');
  process.exitCode = 1;
});
`;
const STEPS = stepsOf('```sh\n# P-1\nstrongroom-offline-signer approve \\\n  --folder state\n```\n');
const START = { done: 0, groupId: '', folder: '' };
const FINGERPRINT = '0123 4567 89ab cdef 0123 4567 89ab cdef';

const root = mkdtempSync(join(tmpdir(), 'strongroom-stage-'));
const program = join(root, 'program.mjs');
writeFileSync(program, PROGRAM);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const absent = () => Promise.reject(new Error('the service is not asked'));
const client = { get: absent, change: absent, submit: absent };

function stageOf(answers: string[], tries: boolean[]): Stage & { readonly said: string[] } {
  const said: string[] = [];
  return {
    ...{ root, program, said, paper: new Paper() },
    service: ceremonyRequests('ks-1', { courier: client, reviewer: client, isOnPaper: () => true }),
    say: (line) => void said.push(line),
    type: () => answers.shift() ?? '',
    triesAgain: () => tries.shift() ?? false,
  };
}

test('a refused command is run again if the people want it, and the screen shows both runs', async () => {
  const stage = stageOf(['wrong', 'right'], [true]);
  await play(stage, { steps: STEPS, from: START });
  expect(stage.said.filter((line) => line.includes('REFUSED'))).toHaveLength(1);
  expect(stage.said.filter((line) => line === '  $ strongroom-offline-signer approve --folder state')).toHaveLength(2);
  expect(stage.said[0]).toBe('\nP-1 (provisioner)');
});

test('a refused command ends the ceremony if the people stop', async () => {
  const stage = stageOf(['wrong', 'right'], []);
  await expect(play(stage, { steps: [...STEPS, ...STEPS], from: START })).rejects.toThrow(Refused);
  expect(stage.said.filter((line) => line.startsWith('  $ '))).toHaveLength(1);
});

test('the records on the medium give the sheet of a later meeting, and the newest record counts', () => {
  const folder = join(root, 'medium', 'genesis');
  mkdirSync(folder, { recursive: true });
  const newest = FINGERPRINT.replaceAll('0', '9');
  writeFileSync(join(folder, 'record-follow-20.txt'), `Manifest       ${newest}\n`);
  writeFileSync(
    join(folder, 'record-genesis-3.txt'),
    `Serial         P-1\nFingerprint    ${FINGERPRINT}\nManifest       ${FINGERPRINT}\n`,
  );
  const paper = new Paper();
  readRecords(root, paper);
  const person = { pin: 'pin', rolls: () => '1' };
  expect(paper.answerTo('Type the fingerprint of the provisioner P-1 from paper: ', person)).toBe(FINGERPRINT);
  expect(paper.answerTo('Type the fingerprint of the pending manifest from paper: ', person)).toBe(newest);
  expect(paper.answerTo('Type the fingerprint of the provisioner P-9 from paper: ', person)).toBeUndefined();
  expect([newest, FINGERPRINT].map((one) => paper.hasManifest(one.replaceAll(' ', '')))).toEqual([true, false]);
});
