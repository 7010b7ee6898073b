import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 90_000;
const LOOK_AGAIN_MS = 250;

/** Repeats `ask`, also after an error, until `ask` returns a result other than undefined. Throws after `limitMs`. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, limitMs = LIMIT_MS): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`Timed out after ${limitMs} ms while waiting until ${what}`);
    await delay(LOOK_AGAIN_MS);
  }
}

export const last = (ms: number): Promise<void> => delay(ms);
