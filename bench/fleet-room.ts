import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Client } from '../local/client';
import { runProgram } from '../local/fleets/machine';
import { Paper } from '../local/fleets/paper';
import { inputIn } from '../local/fleets/service';
import { ROOT } from './config';

const PROGRAM = join(ROOT, 'dist', 'strongroom-offline-signer.mjs');
const DICE = '123456'.repeat(10);
const ENDS_WITHIN_MS = 60_000;

const Group = z.object({
  groupId: z.string(),
  status: z.string(),
  proposal: z.object({ manifest: z.object({ digest: z.string() }) }).optional(),
});
type People = { readonly storeId: string; readonly maker: Client; readonly reviewer: Client };

/** `seconds` is the time from the last answer of a person until the program has ended. */
type More = { readonly words?: readonly string[]; readonly agreedBy?: string };
type Made = { readonly groupId: string; readonly out: string; readonly seconds: number };

/** The machines of one fleet, which are runs of the program that ships, and the people who carry archives. */
export function createFleetRoom(root: string, { storeId, maker, reviewer }: People) {
  const paper = new Paper();
  let steps = 0;

  async function command(machine: string, words: readonly string[]): Promise<number> {
    const folder = join(root, machine);
    mkdirSync(folder, { recursive: true });
    let answered = performance.now();
    const answer = (question: string): string => {
      answered = performance.now();
      const known = paper.answerTo(question, { pin: `sentence of the machine ${machine}`, rolls: () => DICE });
      if (known === undefined) throw new Error(`${machine} asks: ${question}`);
      return known;
    };
    const { code, lines } = await runProgram({ program: PROGRAM, folder, words, answer });
    if (code !== 0) throw new Error(`${machine} refused: ${lines.at(-1)}`);
    paper.read(lines);
    return (performance.now() - answered) / 1_000;
  }

  const out = (step: number | string) => join(root, 'medium', String(step));
  const card = (machine: string) => join(out(machine), 'card.json');
  const at = (rest: string) => `/key-stores/${storeId}/${rest}`;

  return {
    async makeIdentities(machines: Readonly<Record<string, string>>): Promise<void> {
      for (const [machine, role] of Object.entries(machines))
        await command(machine, ['identity', '--folder', 'state', '--role', role, '--serial', machine, '--out', out(machine)]);
    },

    card,

    /** Asks for the archive. `seconds` is the time until the response. */
    async archive(path: string, body: unknown): Promise<{ readonly text: string; readonly seconds: number }> {
      const started = performance.now();
      const text = await maker.change('POST', at(`${path}/input`), body, z.string());
      return { text, seconds: (performance.now() - started) / 1_000 };
    },

    /**
     * Runs the command of a device with the archive. If the machine `agreedBy` must agree to the next manifest, the command runs
     * twice, and `seconds` is the time of the second run.
     */
    async make(machine: string, name: string, text: string, { words = [], agreedBy }: More = {}): Promise<Made> {
      steps += 1;
      const made = out(steps);
      mkdirSync(made, { recursive: true });
      writeFileSync(join(made, 'input.json'), text);
      const { input, signed } = inputIn(text);
      paper.readSigner(signed.by);
      const given = [name, '--folder', 'state', '--in', join(made, 'input.json'), ...words, '--out', made];
      const first = await command(machine, given);
      if (agreedBy === undefined) return { groupId: input.groupId, out: made, seconds: first };
      await command(agreedBy, ['approve', '--folder', 'state', '--proposal', join(made, 'proposal.json'), '--out', made]);
      const seconds = await command(machine, [...given, '--approval', join(made, `approval-${agreedBy}.json`)]);
      return { groupId: input.groupId, out: made, seconds };
    },

    followsOn: (machine: string, made: Made): Promise<number> =>
      command(machine, [
        'follow',
        '--folder',
        'state',
        '--file',
        join(made.out, 'output-file.json'),
        '--out',
        out(`${machine}-follows`),
      ]),

    /** Hands over the output. Returns the time until the response, which the service sends after its verification. */
    async submit(path: string, made: Made): Promise<number> {
      const file = readFileSync(join(made.out, 'output-file.json'), 'utf8');
      const outputJson: unknown = JSON.parse(readFileSync(join(made.out, 'output.json'), 'utf8'));
      const fileChecksum = createHash('sha256').update(file, 'utf8').digest('hex');
      const started = performance.now();
      await maker.submit(at(`${path}/output`), { fileChecksum, outputJson }, file, z.unknown());
      return (performance.now() - started) / 1_000;
    },

    /** Returns the time until the keys are usable. */
    async approve({ groupId }: Made): Promise<number> {
      const path = at(`fleet-operations/${groupId}`);
      const { proposal } = await reviewer.get(path, Group);
      const started = performance.now();
      await reviewer.change('POST', `${path}/approve`, { manifest: proposal?.manifest.digest }, z.unknown());
      while ((await reviewer.get(path, Group)).status !== 'Approved')
        if (performance.now() - started > ENDS_WITHIN_MS) throw new Error('The group was not approved in time');
      return (performance.now() - started) / 1_000;
    },
  };
}
export type FleetRoom = ReturnType<typeof createFleetRoom>;
