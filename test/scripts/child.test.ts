import { endAll, inline, isGone, SCRIPTS, said, start, until } from './script';

afterAll(endAll);

const parent = (tie: string, stopSignal = 'SIGTERM') =>
  inline(`import { startChild } from '${SCRIPTS}/supervisor/child.mjs';
const child = startChild({ role: 'x', command: process.execPath, stopSignal: '${stopSignal}', ${tie} env: process.env, onLine: console.log,
  args: ['-e', "process.on('SIGINT', () => { console.log('asked to end'); process.exit(0); }); console.log('runs', process.pid); setInterval(() => {}, 1000)"] });
process.on('SIGUSR2', async () => { console.log(await child.stop(5000), await child.exited); });
setInterval(() => {}, 1000);`);

/** Where setpriv exists, the kernel ends a child together with its parent. On other systems, the pipe of a shell does so. */
const ties = [
  ['the kernel', ''],
  ['a pipe', 'tie: false,'],
] as const;

test.each(ties)('a child does not outlive a parent that was killed (tied by %s)', async (_title, tie) => {
  const child = start(parent(tie));
  const pid = Number(await said(child, /runs (\d+)/));
  expect(isGone(pid)).toBe(false);
  child.kill('SIGKILL');
  await until(() => isGone(pid));
});

test.each(ties)(
  '`stop` sends the signal that the program handles, and waits until the program has ended (tied by %s)',
  async (_title, tie) => {
    const child = start(parent(tie, 'SIGINT'));
    const pid = Number(await said(child, /runs (\d+)/));
    const polite = said(child, /asked to end/);
    const stopped = said(child, /stopped exit code 0/);
    child.kill('SIGUSR2');
    await polite;
    await stopped;
    expect(isGone(pid)).toBe(true);
    child.kill('SIGKILL');
  },
);
