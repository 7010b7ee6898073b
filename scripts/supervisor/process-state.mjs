import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const HAS_PROC = existsSync('/proc/self/stat');

/** A later process with the same id has a different start time. */
export const self = () => ({ pid: process.pid, started: startOf(process.pid) });

/** False if no process has the id, if the process is a zombie, or if a later process has the id. */
export function isAlive({ pid, started }) {
  const now = startOf(pid);
  return now !== undefined && (started === undefined || started === now);
}

/** The start time as a text, only for comparison. Undefined if the process does not run. */
export function startOf(pid) {
  return HAS_PROC ? startInProc(pid) : startFromPs(pid);
}

function startInProc(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the process name in brackets may contain spaces
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
}

function startFromPs(pid) {
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

/**
 * The processes of `program` whose working folder is `folder`, such as all processes of a Postgres server on its data folder.
 * Without /proc the list is empty.
 */
export function processesIn(folder, program) {
  if (!HAS_PROC) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const runs = startInProc(pid) !== undefined;
        return (
          runs && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === program && readlinkSync(`/proc/${pid}/cwd`) === folder
        );
      } catch {
        return false;
      }
    });
}
