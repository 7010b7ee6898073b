import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 90_000;
const LOOK_AGAIN_MS = 250;

/** Asks until the answer is something else than undefined. A question that fails is asked again. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, limitMs = LIMIT_MS): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain until ${what}`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Lets an outage last. */
export const last = (ms: number): Promise<void> => delay(ms);
