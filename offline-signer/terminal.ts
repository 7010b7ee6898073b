import { stdin, stdout } from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Screen } from './screen';

const AGREED = /^y(es)?$/i;

/** Shows the questions, and hides the typed characters of a secret. */
class Output extends Writable {
  isHidden = false;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isHidden) stdout.write(chunk);
    done();
  }
}

/** Lines that were typed before their question stay in order, because one reader reads the whole input. */
function createReader() {
  const output = new Output();
  const typed: string[] = [];
  let waiting: ((line: string) => void) | undefined;
  let isEnded = false;
  let reader: Interface | undefined;
  const answer = (line: string) => {
    const resolve = waiting;
    waiting = undefined;
    if (resolve) resolve(line);
    else typed.push(line);
  };
  const started = (): Interface => {
    reader ??= createInterface({ input: stdin, output, terminal: stdin.isTTY })
      .on('line', answer)
      .on('close', () => {
        isEnded = true;
        waiting?.('');
      });
    return reader;
  };
  return {
    close: () => reader?.close(),
    /** If the input ends before a person types a line, the answer is an empty line, which agrees to nothing. */
    async ask(question: string, isSecret: boolean): Promise<string> {
      const open = started();
      open.setPrompt(question);
      if (!isEnded) open.prompt();
      output.isHidden = isSecret;
      const line = await new Promise<string>((resolve) => {
        const [next] = typed.splice(0, 1);
        if (next !== undefined || isEnded) resolve(next ?? '');
        else waiting = resolve;
      });
      output.isHidden = false;
      if (isSecret || !stdin.isTTY) stdout.write('\n');
      return line;
    },
  };
}

/** `close` lets the process end. */
export function createTerminal(): Screen & { readonly close: () => void } {
  const reader = createReader();
  return {
    say: (lines) => void stdout.write(`${lines.join('\n')}\n`),
    ask: (question) => reader.ask(question, false),
    askSecret: (question) => reader.ask(question, true),
    confirm: async (question) => AGREED.test((await reader.ask(`${question} (yes or no) `, false)).trim()),
    close: () => reader.close(),
  };
}
