import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import globalTeardown from './support/global-teardown';
import { JEST_PID_VARIABLE, STANDS_VARIABLE } from './support/stand';

const before = { ...process.env };
let folder: string;
let stand: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-stands-'));
  stand = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  writeFileSync(join(folder, '1-plain.json'), JSON.stringify({ pid: stand.pid, databaseName: 'of_no_stand' }));
  process.env[STANDS_VARIABLE] = folder;
});
afterEach(() => {
  stand.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  for (const name of [STANDS_VARIABLE, JEST_PID_VARIABLE]) process.env[name] = before[name];
});

test('the test run that started the stands (the servers that tests share) also ends them', async () => {
  process.env[JEST_PID_VARIABLE] = String(process.pid);
  const ended = once(stand, 'exit');
  await globalTeardown();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(folder)).toBe(false);
});

test('a Jest process that a test starts does not end the stands of the run', async () => {
  process.env[JEST_PID_VARIABLE] = String(process.ppid);
  await globalTeardown();
  expect(stand.signalCode).toBeNull();
  expect(existsSync(folder)).toBe(true);
});
