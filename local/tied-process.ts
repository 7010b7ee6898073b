import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/**
 * The program ends with this process, even if this process is killed. With setpriv the kernel ends the program. Without setpriv
 * a shell ends the program when the pipe from this process closes.
 */
export function spawnTied(command: string, args: readonly string[]): ChildProcess {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable);
  if (process.platform === 'linux' && setpriv) {
    return spawn(setpriv, ['--pdeathsig', 'KILL', command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const watch =
    'exec 3<&0; "$0" "$@" & child=$!; (cat <&3 >/dev/null; kill -9 $child) & trap "kill $child" TERM INT; wait $child';
  return spawn('/bin/sh', ['-c', watch, command, ...args], { stdio: ['pipe', 'ignore', 'inherit'] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
