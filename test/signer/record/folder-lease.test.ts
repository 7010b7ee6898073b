import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeFolderLease } from '../../../signer/record/folder-lease';
import { StartError } from '../../../signer/start-error';
import { waitUntil } from '../../support/wait-until';
import { temporaryFolder } from '../fixtures';

const TIMES = { beatMs: 20, silenceMs: 300, pollMs: 10 };
const temporary = temporaryFolder();
let folder: string;
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(temporary.path, `epochs-${count}`);
});
afterAll(temporary.remove);

let lost: number;
let faults: unknown[];
const take = (standsBy = false, times = TIMES) => {
  lost = 0;
  faults = [];
  const onLost = (fault?: unknown) => {
    lost += 1;
    if (fault !== undefined) faults.push(fault);
  };
  return takeFolderLease(folder, { standsBy, onLost, times });
};

/** Writes a lease file as if another process had left it. */
function leave(number: number, holder: object | string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, String(number).padStart(12, '0'));
  writeFileSync(path, typeof holder === 'string' ? holder : JSON.stringify(holder));
  return path;
}
const elsewhere = { where: 'another boot', pid: 1, started: '5', nonce: 'n' };

test('epoch numbers rise with each start, and a signer starts on a released folder at once and without a copy', async () => {
  for (const number of [1, 2, 3]) {
    const epoch = await take();
    expect([epoch.number, epoch.mustCopy, epoch.isHeld()]).toEqual([number, false, true]);
    epoch.hold();
    epoch.release();
  }
  expect(readdirSync(folder)).toHaveLength(3);
});

test('while a signer runs, a second signer is refused, and the first signer keeps running', async () => {
  const first = await take();
  first.hold();
  await expect(take()).rejects.toThrow(StartError);
  expect(first.isHeld()).toBe(true);
  first.release();
});

test('if three signers take an abandoned folder at once, only one gets it', async () => {
  leave(4, { state: 'released', ...elsewhere });
  // All three send their signs of life from this process. A busy machine may stop this process for a while, and none of
  // the three may look dead then.
  const patient = { ...TIMES, silenceMs: 5_000 };
  const one = () => take(false, patient);
  const outcomes = await Promise.allSettled([one(), one(), one()]);
  const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(taken.map(({ number }) => number)).toEqual([5]);
  taken[0]?.release();
});

test('a process that is known to be dead gets a successor at once, which uses the files without a copy', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('exit', resolve));
  const first = await take();
  first.hold();
  first.release();
  const path = join(folder, readdirSync(folder)[0] ?? '');
  const left = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...left, state: 'holding', pid: child.pid, started: '1' }));
  const epoch = await take();
  expect([epoch.number, epoch.mustCopy]).toEqual([2, false]);
  epoch.release();
});

test.each<[string, object | string]>([
  ['on another machine', { state: 'holding', ...elsewhere }],
  ['whose file a crash left empty', ''],
  ['that had only begun to take over', { state: 'taking', ...elsewhere }],
])('a start waits until a holder %s has been silent long enough, and copies its files', async (_what, holder) => {
  leave(7, holder);
  const begun = performance.now();
  const epoch = await take();
  expect(performance.now() - begun).toBeGreaterThan(TIMES.silenceMs);
  expect([epoch.number, epoch.mustCopy]).toEqual([8, true]);
  epoch.release();
});

test('the files of a holder that died during its takeover are copied', async () => {
  const first = await take();
  first.hold();
  first.release();
  const left = JSON.parse(readFileSync(join(folder, '000000000001'), 'utf8')) as object;
  leave(2, { ...left, state: 'taking', pid: 999_999_999 });
  const epoch = await take();
  expect([epoch.number, epoch.mustCopy]).toEqual([3, true]);
  epoch.release();
});

test('a start is refused while a holder on another machine shows signs of life; a standby waits until the signs end', async () => {
  const path = leave(1, { state: 'holding', ...elsewhere });
  let beats = 0;
  const beating = setInterval(() => {
    beats += 1;
    utimesSync(path, new Date(), new Date());
  }, 20);
  await expect(take()).rejects.toThrow(/another signer \(process 1 on another machine or in another container\)/);
  const standby = take(true);
  const before = beats;
  await waitUntil('more beats', () => beats > before + 30);
  expect(readdirSync(folder)).toEqual(['000000000001']);
  clearInterval(beating);
  const epoch = await standby;
  expect([epoch.number, epoch.mustCopy]).toEqual([2, true]);
  epoch.release();
});

test('a holder detects a successor at once, and the callback of the holder runs soon', async () => {
  const epoch = await take();
  epoch.hold();
  leave(2, { state: 'taking', ...elsewhere });
  expect(epoch.isHeld()).toBe(false);
  expect(epoch.assertHeld).toThrow('took over the state folder');
  await waitUntil('the callback', () => lost === 1);
});

test('the loss of an unreachable folder is reported as an error; the loss of a folder to another signer is not', async () => {
  (await take()).hold();
  rmSync(folder, { recursive: true });
  await waitUntil('the first loss', () => lost === 1);
  expect(faults).toEqual([expect.objectContaining({ code: 'ENOENT' })]);

  const epoch = await take();
  leave(epoch.number + 1, { state: 'taking', ...elsewhere });
  await waitUntil('the second loss', () => lost === 1);
  expect(faults).toEqual([]);
});
