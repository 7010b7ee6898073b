import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** Raised when another live process works on the state folder. */
export class StateLockedError extends Error {
  override readonly name = 'StateLockedError';
}

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
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Two signers on one folder would not know of each other's signatures. Answers what gives the lock back. */
export function lockState(path: string): () => void {
  const identity = identify(process.pid) ?? String(process.pid);
  if (!take(path, identity)) {
    const holder = readFileSync(path, 'utf8');
    const pid = Number.parseInt(holder, 10);
    if (Number.isInteger(pid) && identify(pid) === holder) {
      throw new StateLockedError(`another signer (process ${pid}) works on this state folder: ${path}`);
    }
    unlinkSync(path);
    if (!take(path, identity)) throw new StateLockedError(`another signer has just taken this state folder: ${path}`);
  }
  return () => unlinkSync(path);
}
