import { readFileSync } from 'node:fs';

/** What a process can be started with so that fewer mistakes and fewer thieves reach its memory. Each is one sentence for the log. */
type Surroundings = {
  /** The content of /proc/self/limits; empty where there is none. */
  readonly limits: string;
  readonly hasProto: boolean;
  readonly makesCode: () => boolean;
  readonly execArgv: readonly string[];
};

function makesCode(): boolean {
  try {
    // biome-ignore lint/security/noGlobalEval: whether this works is the question
    return globalThis.eval('1') === 1;
  } catch {
    return false;
  }
}

function surroundings(): Surroundings {
  let limits = '';
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Not Linux: the limit of cores is not known there.
  }
  return { limits, hasProto: '__proto__' in Object.prototype, makesCode, execArgv: process.execArgv };
}

/** What is missing of it; empty when nothing is. The start goes on, because the keys are no better protected by payments that wait. */
export function hardeningFaults({ limits, hasProto, makesCode, execArgv }: Surroundings = surroundings()): string[] {
  const [, cores] = /^Max core file size\s+(\S+)/m.exec(limits) ?? [];
  return [
    ...(cores === undefined || cores === '0'
      ? []
      : ['a crash may write the memory with all keys to a file: start it with ulimit -c 0']),
    ...(hasProto ? ['start it with --disable-proto=delete'] : []),
    ...(makesCode() ? ['start it with --disallow-code-generation-from-strings'] : []),
    ...(execArgv.some((word) => word.startsWith('--inspect')) ? ['a debugger may reach it: start it without --inspect'] : []),
  ];
}
