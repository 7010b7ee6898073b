import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second, even if the kernel's tick has a different length. */
const TICK_MS = 10;
const BYTES_PER_KIB = 1_024;
const NS_PER_MS = 1_000_000;

type Stat = { readonly parent: number; readonly name: string; readonly ownMs: number; readonly reapedMs: number };

/** The CPU time of `pid`, of its descendants and of their ended children, in milliseconds. */
export function cpuMsOf(pid: number): number {
  const stats = statsOfAll();
  return familyOf(pid, stats).reduce((sum, one) => {
    const stat = stats.get(one);
    return stat ? sum + stat.ownMs + stat.reapedMs : sum;
  }, 0);
}

/**
 * The CPU time of the living threads of `pid` in milliseconds, with the precision of the scheduler. Descendants are not included.
 */
export function exactCpuMsOf(pid: number): number {
  return numbersIn(`/proc/${pid}/task`).reduce(
    (sum, id) => sum + Number(textOf(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]) / NS_PER_MS,
    0,
  );
}

/** The CPU time of the threads of `pid` in milliseconds, by the names of the threads. The first thread gets the name `main`. */
export function threadCpuMsOf(pid: number): ReadonlyMap<string, number> {
  const threads = new Map<string, number>();
  for (const id of numbersIn(`/proc/${pid}/task`)) {
    const stat = statOf(`/proc/${pid}/task/${id}/stat`);
    if (!stat) continue;
    const name = id === pid ? 'main' : stat.name;
    threads.set(name, (threads.get(name) ?? 0) + stat.ownMs);
  }
  return threads;
}

/** The memory of `pid` and its descendants in bytes. Memory that several processes share is counted once (the kernel's PSS). */
export function memoryBytesOf(pid: number): number {
  return familyOf(pid, statsOfAll()).reduce((sum, one) => {
    const [, kib = '0'] = /^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${one}/smaps_rollup`)) ?? [];
    return sum + Number(kib) * BYTES_PER_KIB;
  }, 0);
}

/**
 * The resident memory of `pid` without its descendants. `anonymousBytes` leaves out mapped files, whose pages the kernel can drop
 * at any time.
 */
export function residentBytesOf(pid: number): { readonly allBytes: number; readonly anonymousBytes: number } {
  const status = textOf(`/proc/${pid}/status`);
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * BYTES_PER_KIB;
  return { allBytes: bytesOf('VmRSS'), anonymousBytes: bytesOf('RssAnon') };
}

function familyOf(pid: number, stats: ReadonlyMap<number, Stat>): readonly number[] {
  const below = [...stats].filter(([, { parent }]) => parent === pid).flatMap(([child]) => familyOf(child, stats));
  return [pid, ...below];
}

function statsOfAll(): ReadonlyMap<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const pid of numbersIn('/proc')) {
    const stat = statOf(`/proc/${pid}/stat`);
    if (stat) stats.set(pid, stat);
  }
  return stats;
}

function statOf(file: string): Stat | undefined {
  const text = textOf(file);
  const end = text.lastIndexOf(')'); // the name ends here; it may contain spaces and brackets
  if (end < 0) return undefined;
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = fields.slice(11, 15);
  return {
    parent: fields[1] ?? 0,
    name: text.slice(text.indexOf('(') + 1, end),
    ownMs: (user + system) * TICK_MS,
    reapedMs: (reapedUser + reapedSystem) * TICK_MS,
  };
}

function numbersIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // the process ended during the scan
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process ended during the scan
  }
}
