import { readFileSync } from 'node:fs';
import type { Addon } from './native/addon';

const NO_CODE = '--disallow-code-generation-from-strings';

type Surroundings = {
  /** /proc/self/limits; empty on a system without this file. */
  readonly limits: string;
  /** /proc/self/status; empty on a system without this file. */
  readonly status: string;
  readonly hasProto: boolean;
  readonly hasCompiler: boolean;
  readonly execArgv: readonly string[];
};

/** The flags that switch V8's JIT compiler off also remove WebAssembly. */
const hasCompiler = () => 'WebAssembly' in globalThis;

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Outside Linux the content is unknown.
  }
}

const surroundings = (): Surroundings => ({
  limits: readOr('/proc/self/limits'),
  status: readOr('/proc/self/status'),
  hasProto: '__proto__' in Object.prototype,
  hasCompiler: hasCompiler(),
  execArgv: process.execArgv,
});

/**
 * Drops rights that the process no longer needs. Returns true if memory can no longer become executable. A JIT compiler needs
 * executable memory, so only a process without a compiler drops this right.
 */
export function confine(addon: Addon | undefined, needsNetwork: boolean): boolean {
  if (!addon) return false;
  addon.denyCalls(needsNetwork);
  return !hasCompiler() && addon.denyNewCode();
}

/**
 * The missing protections as texts for the log. The signer starts even if protections are missing, because refusing to start
 * would stop all payments and would not make any key safer.
 */
export function hardeningFaults(
  isCodeFixed: boolean,
  { limits, status, hasProto, hasCompiler, execArgv }: Surroundings = surroundings(),
): string[] {
  const [, cores] = /^Max core file size\s+(\S+)/m.exec(limits) ?? [];
  return [
    ...(cores === undefined || cores === '0'
      ? []
      : ['a crash may write the process memory, with all keys, to a file: start it with ulimit -c 0']),
    ...(hasProto ? ['start it with --disable-proto=delete'] : []),
    ...(execArgv.includes(NO_CODE) ? [] : [`start it with ${NO_CODE}`]),
    ...(hasCompiler ? ['it writes machine code at run time: start it with --jitless'] : []),
    ...(hasCompiler || isCodeFixed
      ? []
      : ['its memory can become executable: Linux 6.3 or newer with the native arithmetic prevents that']),
    ...(/^Seccomp:\s+0$/m.test(status)
      ? ['its system calls are not filtered: the native arithmetic, the systemd unit and the compose file do that']
      : []),
    ...(execArgv.some((word) => word.startsWith('--inspect')) ? ['a debugger may reach it: start it without --inspect'] : []),
  ];
}
