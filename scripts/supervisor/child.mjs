import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onPath } from '../prepare/cache.mjs';

/**
 * Runs the program as a child of a shell, whose standard input is a pipe from this process. When this process ends, the pipe
 * closes, and the shell kills the program. On Linux with setpriv the kernel kills the program instead.
 */
const WATCH =
  'exec 3<&0; "$0" "$@" & child=$!; (cat <&3 >/dev/null; kill -9 $child) & trap "kill -s $STOP $child" TERM INT; wait $child; wait $child';

let setprivFound;
const setpriv = (env) => {
  setprivFound ??= [process.platform === 'linux' && onPath('setpriv', env)].filter(Boolean).map((path) => ({
    path,
    works: spawnSync(path, ['--pdeathsig', 'KILL', 'true']).status === 0,
  }));
  return setprivFound.find(({ works }) => works)?.path;
};

/**
 * The program ends when this process ends, even if this process is killed. The program has its own process group, so a Ctrl-C
 * on the console reaches only this process, which then stops its programs in order.
 *
 * `before` is the beginning of the command line, such as `unshare --user`. `stopSignal` is the signal that ends the program.
 */
export function startChild({
  role,
  command,
  args,
  env,
  cwd,
  uid,
  gid,
  before = [],
  stopSignal = 'SIGTERM',
  onLine,
  tie = setpriv(env),
}) {
  const words = tie
    ? [...before, tie, '--pdeathsig', 'KILL', '--', command, ...args]
    : [...before, '/bin/sh', '-c', WATCH, command, ...args];
  const watched = { ...env, STOP: stopSignal.replace('SIG', '') };
  const child = spawn(words[0], words.slice(1), {
    cwd,
    env: tie ? env : watched,
    detached: true,
    stdio: [tie ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid }),
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  let ended = false;
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  }).then((how) => {
    ended = true;
    return how;
  });

  async function stop(graceMs) {
    if (ended) return 'already ended';
    child.kill(tie ? stopSignal : 'SIGTERM');
    let forced = false;
    const timer = setTimeout(() => {
      forced = true;
      killGroup();
    }, graceMs);
    await exited;
    clearTimeout(timer);
    killGroup(); // kills the processes that the program itself had started
    return forced ? `killed after ${graceMs / 1000} s` : 'stopped';
  }
  function killGroup() {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process group is empty.
    }
  }
  return { role, pid: child.pid, exited, stop, kill: killGroup };
}
