import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpuMsOf, memoryBytesOf, residentBytesOf, threadCpuMsOf } from '../../bench/cpu';
import { waitUntil } from '../support/wait-until';

const SPENT_MS = 60;
const LIMIT_MS = 60_000;
/** A program that spends CPU time in a child process and then in itself, and then rests. */
const PROGRAM = `
  const spend = 'const until = process.cpuUsage().user + ${SPENT_MS} * 1000; while (process.cpuUsage().user < until);';
  require('node:child_process').spawnSync(process.execPath, ['-e', spend]);
  eval(spend);
  process.stdout.write('spent');
  setInterval(() => undefined, 1000);`;

test(
  'on Linux the memory of a process and its CPU time, including that of its ended children, are measured',
  async () => {
    if (!existsSync('/proc/self/stat')) return;
    const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    try {
      await waitUntil('both have spent their time', () => said === 'spent', LIMIT_MS);
      const pid = child.pid ?? 0;
      expect(cpuMsOf(pid)).toBeGreaterThanOrEqual(2 * SPENT_MS);
      expect(threadCpuMsOf(pid).get('main')).toBeGreaterThanOrEqual(SPENT_MS);
      expect(threadCpuMsOf(pid).get('main')).toBeLessThan(cpuMsOf(pid));
      expect(memoryBytesOf(pid)).toBeGreaterThan(1_000_000);
      const { allBytes, anonymousBytes } = residentBytesOf(pid);
      expect(anonymousBytes).toBeGreaterThan(1_000_000);
      expect(allBytes).toBeGreaterThan(anonymousBytes);
    } finally {
      child.kill('SIGKILL');
    }
  },
  LIMIT_MS,
);

test('for a process that has ended, the CPU time and the memory are zero', () => {
  const gone = 2 ** 22 + 1;
  expect([cpuMsOf(gone), memoryBytesOf(gone), [...threadCpuMsOf(gone)]]).toEqual([0, 0, []]);
  expect(residentBytesOf(gone)).toEqual({ allBytes: 0, anonymousBytes: 0 });
});
