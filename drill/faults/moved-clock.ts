import { existsSync, readFileSync, watchFile } from 'node:fs';
import { clockFile } from './config';

const LOOK_EVERY_MS = 100;

/**
 * Loaded into a process before its own code, it moves what `Date` says by what stands in a file, and follows the file. Temporal's
 * native core and the kernel keep their time, as does the monotonic clock, which no correction of a clock moves either.
 */
function moveClock(file: string): void {
  const Real = Date;
  let shiftMs = 0;
  const read = () => {
    // Without the file it is nobody's clock any more, and no reason for the process to end.
    shiftMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) || 0 : 0;
  };
  const now = () => Real.now() + shiftMs;
  read();
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, read);
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, caller) => Reflect.construct(target, args.length === 0 ? [now()] : args, caller),
    apply: () => new Real(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}

const file = clockFile();
if (file !== undefined) moveClock(file);
