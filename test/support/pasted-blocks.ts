import { spawn, spawnSync } from 'node:child_process';
import { waitUntil } from './wait-until';

/** The shells that people paste into, with the arguments that skip personal settings. */
const SHELLS = { bash: ['--noprofile', '--norc', '-i'], zsh: ['--no-rcs', '-i'] } as const;
export type ShellName = keyof typeof SHELLS;
export const SHELL_NAMES = Object.keys(SHELLS) as readonly ShellName[];

const programOf = (name: ShellName) => process.env[`${name.toUpperCase()}_PATH`] || name;
export const isShellHere = (name: ShellName): boolean => spawnSync(programOf(name), ['-c', 'true']).status === 0;

const BLOCK_LIMIT_MS = 120_000;

/** The shell blocks of the text, in order. */
export const shellBlocksIn = (text: string): readonly string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

export type PastedShell = {
  /** Pastes one block, and returns its output. */
  readonly paste: (block: string, what: string) => Promise<string>;
  readonly close: () => void;
};

/** An interactive shell in this folder. */
export function openShell(name: ShellName, cwd: string, more: Readonly<Record<string, string>> = {}): PastedShell {
  const env = { PATH: process.env['PATH'], PS1: '', PS2: '', ...more };
  const shell = spawn(programOf(name), SHELLS[name], { cwd, env });
  let output = '';
  let pasted = 0;
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  return {
    async paste(block, what) {
      pasted += 1;
      const end = `--- end of block ${pasted} ---`;
      output = '';
      shell.stdin.write(`${block}\nprintf '%s%s\\n' '--- end of block ' '${pasted} ---'\n`);
      await waitUntil(`${name}: ${what} to end`, () => output.includes(end), BLOCK_LIMIT_MS);
      return output.slice(0, output.indexOf(end));
    },
    close() {
      shell.stdin.end();
      shell.kill('SIGKILL');
    },
  };
}
