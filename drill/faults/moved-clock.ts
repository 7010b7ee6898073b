import { existsSync, readFileSync } from 'node:fs';
import { clockFile } from './config';

const LOOK_EVERY_MS = 100;

/**
 * Runs in a process before its own code, and shifts `Date` by the value in a file. Temporal's native core, the kernel and the
 * monotonic clock keep their time; a real clock correction does not move the monotonic clock either.
 */
function moveClock(file: string): void {
  const Real = Date;
  let shiftMs = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = () => {
    // A missing file means that the fault is over, and must not end the process.
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '0';
    // A file read between truncation and write is empty and changes nothing.
    if (text !== '') shiftMs = Number(text) || 0;
  };
  // Reads the file on every call, at most every 100 ms. A file watcher would start late and take the changed content for the
  // initial one.
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
