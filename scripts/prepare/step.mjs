import { Refusal } from './run.mjs';

/** Prints one line with the step's name, duration and result. */
export async function step(name, work) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(8);
  try {
    const { detail, value } = await work();
    process.stdout.write(`  ${name.padEnd(22)}${seconds()}  ${detail}\n`);
    return value;
  } catch (error) {
    process.stdout.write(`  ${name.padEnd(22)}${seconds()}  failed\n`);
    throw error;
  }
}

/** Prints a line before long work, because a silent console would seem to hang. */
export function announce(text) {
  process.stdout.write(`  … ${text}\n`);
}

/**
 * Tries the ways in order, and returns the first result. A way returns undefined if the way does not apply. A `Refusal` by a
 * way ends the search. If no way has a result, throws a `Refusal` with the reason of each failure and the setting that helps.
 */
export async function firstThatWorks(what, ways, remedy) {
  const tried = [];
  for (const { way, attempt } of ways) {
    try {
      const value = await attempt();
      if (value !== undefined) return { detail: way, value };
      tried.push(`${way}: nothing there`);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      tried.push(`${way}: ${error.message}`);
    }
  }
  throw new Refusal(`${what} could not be prepared. Tried:\n${tried.map((line) => `    - ${line}`).join('\n')}\n  ${remedy}`);
}
