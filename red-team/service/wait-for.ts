import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 300;
const WITHIN_MS = 120_000;

/** Undefined if nothing was found within the time. */
export async function foundWithin<T>(ms: number, find: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = await find();
    if (found !== undefined || performance.now() >= deadline) return found;
    await delay(LOOK_EVERY_MS);
  }
}

export async function waitFor(what: string, holds: () => Promise<boolean>): Promise<void> {
  const found = await foundWithin(WITHIN_MS, async () => ((await holds()) ? true : undefined));
  if (!found) throw new Error(`there was no end to waiting for ${what}`);
}
