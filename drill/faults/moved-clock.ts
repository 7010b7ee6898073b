import { existsSync, readFileSync } from 'node:fs';
import { clockFile } from './config';

const LOOK_EVERY_MS = 100;

/**
 * Loaded into a process before its own code, it moves what `Date` says by what stands in a file. Temporal's native core and the
 * kernel keep their time, as does the monotonic clock, which no correction of a clock moves either.
 */
function moveClock(file: string): void {
  const Real = Date;
  let shiftMs = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = () => {
    // Without the file it is nobody's clock any more, and no reason for the process to end.
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '0';
    // A file caught between its emptying and its filling says nothing.
    if (text !== '') shiftMs = Number(text) || 0;
  };
  // Read when the time is asked for: a watcher takes what its first, late look finds for the state that nothing has changed since.
  const now = () => {
    if (performance.now() - readAtMs >= LOOK_EVERY_MS) {
      readAtMs = performance.now();
      read();
    }
    return Real.now() + shiftMs;
  };
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, caller) => Reflect.construct(target, args.length === 0 ? [now()] : args, caller),
    apply: () => new Real(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}

const file = clockFile();
if (file !== undefined) moveClock(file);
