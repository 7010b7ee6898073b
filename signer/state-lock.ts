import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { errorCode } from './error-code';
import { StartError } from './start-error';

/** Process id and start time, because ids are used again; a zombie counts as dead. Undefined for a process that is gone. */
function identify(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  } catch {
    // Without /proc only the id is left to go by.
    try {
      process.kill(pid, 0);
      return `${pid} unknown`;
    } catch {
      return undefined;
    }
  }
}

function take(path: string, identity: string): boolean {
  try {
    writeFileSync(path, identity, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Two signers on one folder would not know of each other's signatures. Answers what gives the lock back; throws a `StartError`. */
export function lockState(path: string): () => void {
  const identity = identify(process.pid) ?? String(process.pid);
  if (!take(path, identity)) {
    const holder = readFileSync(path, 'utf8');
    const pid = Number.parseInt(holder, 10);
    if (Number.isInteger(pid) && identify(pid) === holder) {
      throw new StartError(`another signer (process ${pid}) works on this state folder: ${path}`);
    }
    unlinkSync(path);
    if (!take(path, identity)) throw new StartError(`another signer has just taken this state folder: ${path}`);
  }
  return () => unlinkSync(path);
}
