import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../signer/start-error';
import { lockState } from '../../signer/state-lock';
import { temporaryFolder } from './fixtures';

const folder = temporaryFolder();
const path = join(folder.path, 'lock');
afterAll(folder.remove);

test('a second holder is refused until the first gives the lock back', () => {
  const unlock = lockState(path);
  expect(() => lockState(path)).toThrow(StartError);
  unlock();
  lockState(path)();
});

test('the lock of a process that is gone is taken over', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('exit', resolve));
  writeFileSync(path, `${child.pid} 1`);
  lockState(path)();
});

test('a process that only has the same id as the former holder does not keep the lock', () => {
  writeFileSync(path, `${process.pid} 1`);
  const unlock = lockState(path);
  expect(readFileSync(path, 'utf8')).not.toBe(`${process.pid} 1`);
  unlock();
});

test('a lock that was torn while it was written is taken over', () => {
  writeFileSync(path, '');
  lockState(path)();
});
