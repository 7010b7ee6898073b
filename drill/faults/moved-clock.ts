import { existsSync, readFileSync } from 'node:fs';
import { clockFile } from './config';

const LOOK_EVERY_MS = 100;

/**
 * Shifts `Date` by the number in the file. The drill loads this module before the process's own code. The monotonic clock does
 * not move, as in a real correction of the clock.
 */
function moveClock(file: string): void {
  const Real = Date;
  let shiftMs = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = () => {
    // A missing file means that the fault is over.
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '0';
    // While the drill writes the file, the file may be empty for a moment.
    if (text !== '') shiftMs = Number(text) || 0;
  };
  // This code polls: a file watcher might start after the drill has changed the file, and would miss the change.
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
