import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A question ends the text of the program without a new line, because a person types the answer there. */
const QUESTION = /(?:: |\(yes or no\) )$/;

export type Run = {
  /** The file of the program. */
  readonly program: string;
  /** The folder in which the people of the machine stand. */
  readonly folder: string;
  readonly words: readonly string[];
  /** Returns what the person at the machine types. */
  readonly answer: (question: string) => string | Promise<string>;
  /** Receives each line of the screen, with a question as a line of its own. */
  readonly show?: (line: string) => void;
};
export type Ran = { readonly code: number; readonly lines: readonly string[] };

/** Runs the program once, in a process of its own without any environment, and holds the conversation at its screen. */
export function runProgram({ program, folder, words, answer, show = () => undefined }: Run): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env: {}, stdio: 'pipe' });
  const lines: string[] = [];
  const see = (line: string): void => {
    lines.push(line);
    show(line);
  };
  let rest = '';
  let failed: unknown;
  const asked = async (question: string): Promise<void> => {
    try {
      child.stdin.write(`${await answer(question)}\n`);
    } catch (error) {
      failed = error;
      child.kill();
    }
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const [last = '', ...whole] = (rest + text).split('\n').reverse();
    for (const line of whole.reverse()) if (line !== '') see(line);
    rest = last;
    if (!QUESTION.test(rest)) return;
    const question = rest;
    rest = '';
    see(question);
    void asked(question);
  });
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stderr }).on('line', see);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (failed === undefined) resolve({ code: code ?? 1, lines });
      else reject(failed);
    });
  });
}
