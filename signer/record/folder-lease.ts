import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../error-code';
import { StartError } from '../start-error';

const Holder = z.strictObject({
  state: z.enum(['taking', 'holding', 'released']),
  /** The boot and the process namespace. A process id is meaningful only within one boot and one namespace. */
  where: z.string(),
  pid: z.int(),
  /** Process ids are reused; the start time distinguishes two processes with the same id. */
  started: z.string(),
  nonce: z.string(),
});
type Holder = z.infer<typeof Holder>;

type Times = {
  readonly beatMs: number;
  /** A holder without a sign of life for this long loses the folder. */
  readonly silenceMs: number;
  readonly pollMs: number;
};
const TIMES: Times = { beatMs: 1_000, silenceMs: 10_000, pollMs: 100 };
/** The number of epoch files that are kept. A process that stays suspended through this many successors can be ignored. */
const KEPT = 1_000;
const DIGITS = 12;

/**
 * Every process that takes the state folder gets the next number, its epoch. Only the newest epoch may write to the folder or
 * report its content.
 */
export interface FolderLease {
  readonly number: number;
  /**
   * True if an earlier holder may resume with the files still open. The files must then be copied, so that late writes of the
   * earlier holder have no effect.
   */
  readonly mustCopy: boolean;
  /** True if the last holder ran on this machine since the last boot, in any container. */
  readonly isSameMachine: boolean;
  /** False as soon as another process has taken the folder. */
  isHeld(): boolean;
  assertHeld(): void;
  /** Must be called once this process has opened the files and, if `mustCopy`, copied the files. */
  hold(): void;
  /** After the release the next process need not wait. */
  release(): void;
}

const readText = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const linkOf = (path: string) => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};
/**
 * Empty if the boot or the process namespace is unknown. Then no holder can be proved dead, so this process must wait for every
 * holder.
 */
function whereWeAre(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id').trim();
  const namespace = linkOf('/proc/self/ns/pid');
  return boot === '' || namespace === '' ? '' : `${boot} ${namespace}`;
}

const bootOf = (where = '') => where.split(' ')[0] ?? '';

/** The start time in clock ticks since boot; undefined for a process that has ended, also for a zombie. */
function startOf(pid: number): string | undefined {
  const fields = readText(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields[0] === '' || fields[0] === 'Z' ? undefined : fields[19];
}

const isProvablyDead = ({ where, pid, started }: Holder) =>
  where !== '' && where === whereWeAre() && started !== '' && startOf(pid) !== started;

/** Undefined for a file that a crash left incomplete. */
function read(path: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Without the sync, a number could be assigned twice after a crash of the machine. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

const signOfLife = (path: string) => {
  try {
    return String(statSync(path).mtimeMs);
  } catch {
    return 'gone';
  }
};

/** True at the first sign of life, false if the whole time passes without a sign of life. */
async function showsLife(path: string, { silenceMs, pollMs }: Times): Promise<boolean> {
  const before = signOfLife(path);
  const deadline = performance.now() + silenceMs;
  while (performance.now() < deadline) {
    await delay(pollMs);
    if (signOfLife(path) !== before) return true;
  }
  return false;
}

const numbersIn = (folder: string) =>
  readdirSync(folder)
    .map(Number)
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);

type Wanted = {
  /** True if this process waits for a folder that another signer has, instead of ending. */
  readonly standsBy?: boolean;
  /** Called once: without a fault if another process has taken the folder, with the fault if the folder is unreachable. */
  readonly onLost: (fault?: unknown) => void;
  readonly times?: Times;
};

/**
 * The process takes the next number by creating a file that must not exist yet, so only one of two processes succeeds. Every
 * holder checks for a successor's file before and after each write. A holder that was suspended therefore acknowledges nothing.
 * The successor reads the folder only after its own file exists, so the successor sees every acknowledged write. The file
 * system must show a new file to all processes at once: a local or a cluster file system, not NFS. Throws a `StartError` if
 * another signer shows signs of life.
 */
export async function takeFolderLease(folder: string, { standsBy = false, onLost, times = TIMES }: Wanted): Promise<FolderLease> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pathOf = (number: number) => join(folder, String(number).padStart(DIGITS, '0'));
  const own = { where: whereWeAre(), pid: process.pid, started: startOf(process.pid) ?? '', nonce: randomUUID() };
  for (;;) {
    const last = numbersIn(folder).at(-1) ?? 0;
    const before = last === 0 ? undefined : read(pathOf(last));
    const isFree = last === 0 || before?.state === 'released' || (before !== undefined && isProvablyDead(before));
    if (!isFree && (await showsLife(pathOf(last), times))) {
      if (standsBy) continue;
      const elsewhere = before?.where === own.where ? '' : ' on another machine or in another container';
      throw new StartError(`another signer (process ${before?.pid ?? 'unknown'}${elsewhere}) uses this state folder: ${folder}`);
    }
    try {
      writeFileSync(pathOf(last + 1), JSON.stringify({ state: 'taking', ...own }), { flag: 'wx', mode: 0o600, flush: true });
      syncFolder(folder);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw error;
    }
    // A holder that is certainly dead writes nothing more. If that holder had not yet copied the files, an even earlier holder
    // may still have the files open.
    const isSettled = last === 0 || before?.state === 'released' || (before?.state === 'holding' && isProvablyDead(before));
    for (const number of numbersIn(folder)) if (number <= last - KEPT) rmSync(pathOf(number), { force: true });
    // The file of a process that was still taking the folder does not show where the holder before that process ran.
    const boot = before?.state === 'holding' ? bootOf(before.where) : '';
    const isSameMachine = boot !== '' && boot === bootOf(own.where);
    const found = { number: last + 1, mustCopy: !isSettled, isSameMachine };
    return epochOf(pathOf(last + 1), pathOf(last + 2), found, own, onLost, times);
  }
}

function epochOf(
  path: string,
  nextPath: string,
  found: Pick<FolderLease, 'number' | 'mustCopy' | 'isSameMachine'>,
  own: Omit<Holder, 'state'>,
  onLost: Wanted['onLost'],
  { beatMs }: Times,
): FolderLease {
  const isHeld = () => !existsSync(nextPath);
  const become = (state: Holder['state']) => {
    writeFileSync(`${path}.new`, JSON.stringify({ state, ...own }), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  const beat = setInterval(() => {
    let unreachable: unknown;
    try {
      if (isHeld()) return utimesSync(path, new Date(), new Date());
    } catch (fault) {
      // In an unreachable folder this process can show no sign of life, so the folder is treated as lost.
      unreachable = fault;
    }
    clearInterval(beat);
    onLost(unreachable);
  }, beatMs);
  beat.unref();
  return {
    ...found,
    isHeld,
    assertHeld() {
      if (!isHeld()) throw new Error('another signer took over the state folder');
    },
    hold: () => become('holding'),
    release() {
      clearInterval(beat);
      become('released');
    },
  };
}
