import { readFileSync } from 'node:fs';

const NO_CODE = '--disallow-code-generation-from-strings';

/** What a process can be started with so that fewer mistakes and fewer thieves reach its memory. Each is one sentence for the log. */
type Surroundings = {
  /** The content of /proc/self/limits; empty where there is none. */
  readonly limits: string;
  readonly hasProto: boolean;
  readonly execArgv: readonly string[];
};

function surroundings(): Surroundings {
  let limits = '';
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Not Linux: the limit of cores is not known there.
  }
  return { limits, hasProto: '__proto__' in Object.prototype, execArgv: process.execArgv };
}

/** What is missing of it; empty when nothing is. The start goes on, because the keys are no better protected by payments that wait. */
export function hardeningFaults({ limits, hasProto, execArgv }: Surroundings = surroundings()): string[] {
  const [, cores] = /^Max core file size\s+(\S+)/m.exec(limits) ?? [];
  return [
    ...(cores === undefined || cores === '0'
      ? []
      : ['a crash may write the memory with all keys to a file: start it with ulimit -c 0']),
    ...(hasProto ? ['start it with --disable-proto=delete'] : []),
    ...(execArgv.includes(NO_CODE) ? [] : [`start it with ${NO_CODE}`]),
    ...(execArgv.some((word) => word.startsWith('--inspect')) ? ['a debugger may reach it: start it without --inspect'] : []),
  ];
}
