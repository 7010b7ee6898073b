import { PATIENCE } from './patience.cjs';

const POLL_MS = 25;

/** Calls `ask` until it returns a value. Throws after `PATIENCE` times the limit. A test may sleep only here. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 15_000,
): Promise<T> {
  const patientMs = limitMs * PATIENCE;
  const deadline = performance.now() + patientMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() >= deadline) throw new Error(`Waited ${patientMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
