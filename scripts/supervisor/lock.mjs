import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../prepare/run.mjs';
import { isAlive, self } from './process-state.mjs';

const LOOK_AGAIN_MS = 200;

/**
 * Takes the lock or refuses with `taken(pid)`; with `wait` it waits for the holder instead, saying so once. Answers the function
 * that gives it back; `release.tookOver` tells whether a dead process had left it behind.
 */
export async function takeLock(file, { wait, taken }) {
  const mine = `${file}.${process.pid}`;
  let tookOver = false;
  let told = false;
  for (;;) {
    writeFileSync(mine, JSON.stringify(self()), { mode: 0o600 });
    try {
      linkSync(mine, file); // link and not open, so that the lock never exists without its content
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(mine, { force: true });
    }
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

/** Moves a dead holder's lock aside, and puts it back when meanwhile a living one had replaced it. */
function clear(file) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  if (holderOf(aside) && !existsSync(file)) linkSync(aside, file);
  rmSync(aside, { force: true });
  return true;
}

function read(file) {
  try {
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}
