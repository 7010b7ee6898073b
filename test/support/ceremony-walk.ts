import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PageStep, stepsOf } from '../../local/fleets/page';
import { Paper } from '../../local/fleets/paper';
import { patternOf, savedInputs } from './ceremony-page';
import { type CeremonyService, createCeremonyService } from './ceremony-service';
import { DICE, PIN } from './offline-fleet';

/** The machines that are lost before the recovery. */
const LOST = ['D-1', 'D-2', 'P-2'] as const;
const PERSON = { pin: PIN, rolls: () => DICE } as const;

/** Runs one command on the machine with this folder, and returns the lines of its screen. `answer` is the person. */
export type RunProgram = (
  folder: string,
  words: readonly string[],
  answer: (question: string) => string,
) => Promise<readonly string[]>;

/** Machines with a folder of their own, which share nothing but the folder `medium`. */
export class CeremonyWalk {
  readonly root = mkdtempSync(join(tmpdir(), 'strongroom-ceremonies-'));
  readonly service: CeremonyService = createCeremonyService();
  /** The commands that were run, by their names. */
  readonly done: string[] = [];
  /** The lines of the page that no screen has shown. */
  readonly unseen: string[] = [];
  readonly #paper = new Paper();
  readonly #run: RunProgram;
  readonly #inputs: string[];
  readonly #steps: readonly PageStep[];
  #shown: string[] = [];
  #folder = '';

  constructor(page: string, run: RunProgram) {
    this.#run = run;
    this.#paper.readSigner(this.service.signer.by);
    this.#inputs = [...savedInputs(page)];
    this.#steps = stepsOf(page);
    mkdirSync(join(this.root, 'medium'));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  async walk(): Promise<void> {
    for (const step of this.#steps) {
      if (step.kind === 'command') await this.#command(step.machine, step.words);
      else if (step.kind === 'request') await this.#request(step.path, step.body);
      else if (step.kind === 'screen') this.#compare(step.lines);
    }
  }

  /** The folder of a machine, in which the people of the machine run the program. */
  folderOf(machine: string): string {
    const folder = join(this.root, machine);
    if (mkdirSync(folder, { recursive: true }) !== undefined) symlinkSync('../medium', join(folder, 'medium'));
    return folder;
  }

  async #command(machine: string, words: readonly string[]): Promise<void> {
    if (machine === 'D-3') for (const lost of LOST) rmSync(join(this.root, lost), { recursive: true, force: true });
    const lines = await this.#run(this.folderOf(machine), words, (question) => {
      const answer = this.#paper.answerTo(question, PERSON);
      if (answer === undefined) throw new Error(`${machine}: no paper answers "${question}"`);
      return answer;
    });
    this.#paper.read(lines);
    this.#shown.push(...lines);
    this.done.push(words[0] ?? '');
  }

  async #request(path: string, body: unknown): Promise<void> {
    const [, name = '', part] = /\/([a-z-]+)\/(input|output)$/.exec(path) ?? [];
    if (part === 'input') {
      const saved = join(this.root, this.#inputs.shift() ?? '');
      mkdirSync(dirname(saved), { recursive: true });
      writeFileSync(saved, this.service.input(name, body));
      this.#folder = dirname(saved);
    } else if (part === 'output') await this.service.output(this.#output());
    else if (path.endsWith('/approve')) await this.service.review(this.#output());
    else if (path.endsWith('/cancel')) this.service.cancel();
  }

  #output(): Readonly<Record<string, string>> {
    const names = ['output.json', 'output-file.json'];
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(this.#folder, name), 'utf8')]));
  }

  #compare(lines: readonly string[]): void {
    const seen = this.#shown.map((line) => line.trim());
    this.unseen.push(...lines.filter((line) => !seen.some((one) => patternOf(line).test(one))));
    this.#shown = [];
  }
}
