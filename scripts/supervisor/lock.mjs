import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../prepare/run.mjs';
import { isAlive, self } from './process-state.mjs';

const LOOK_AGAIN_MS = 200;
const SETTLES_AFTER_MS = 50;

/**
 * Takes the lock. If another process holds the lock, prints `wait` once and waits; without `wait`, throws a `Refusal` with the
 * text `taken(pid)`. The returned function releases the lock. Its member `tookOver` is true if a dead process had left the
 * lock.
 */
export async function takeLock(file, { wait, taken }) {
  let tookOver = false;
  let told = false;
  for (;;) {
    if (place(file) && (await stays(file))) break;
    const holder = holderOf(file);
    if (holder) {
      if (!wait) throw new Refusal(taken(holder.pid));
      if (!told) process.stdout.write(`${wait}\n`);
      told = true;
      await delay(LOOK_AGAIN_MS);
    } else {
      tookOver = clear(file) || tookOver;
    }
  }
  const release = () => rmSync(file, { force: true });
  release.tookOver = tookOver;
  return release;
}

/** The living process that holds the lock, or undefined. */
export function holderOf(file) {
  const holder = read(file);
  return holder && isAlive(holder) ? holder : undefined;
}

/** Creates the lock as a hard link, so that the lock never exists without its content. */
function place(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(self()), { mode: 0o600 });
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Another process may have found the lock of a dead process before this process took the lock. The other process then moves the
 * new lock aside in `clear`, but only within this wait.
 */
async function stays(file) {
  await delay(SETTLES_AFTER_MS);
  return holderOf(file)?.pid === process.pid;
}

/** Removes the lock of a dead process. Puts the lock back if a living process has taken the lock in the meantime. */
function clear(file) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  if (holderOf(aside)) putBack(aside, file);
  rmSync(aside, { force: true });
  return true;
}

function putBack(aside, file) {
  try {
    linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // a third process was faster; the owner of the moved lock sees that in `stays`
  }
}

function read(file) {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}
