import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compose';

export type Instruction = { readonly keyword: string; readonly argument: string };
export type Stage = { readonly name: string; readonly from: string; readonly instructions: readonly Instruction[] };
type Rule = { readonly title: string; readonly check: (stages: readonly Stage[], exists: (path: string) => boolean) => string[] };

export const dockerfileText = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** The stages of a Dockerfile in order, each with the instructions after its FROM. */
export function stagesOf(text: string): readonly Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const [, keyword = '', argument = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [, from = '', name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(argument) ?? [];
      stages.push({ name, from, instructions: [] });
    } else if (keyword !== '') stages.at(-1)?.instructions.push({ keyword, argument });
  }
  return stages;
}

/** The argument of the last instruction with this keyword, in this stage or in the stage on which it builds. */
export function inherited(stages: readonly Stage[], { from, instructions }: Stage, keyword: string): string | undefined {
  const own = instructions.filter((instruction) => instruction.keyword === keyword).at(-1)?.argument;
  const below = stages.find(({ name }) => name === from);
  return own ?? (below === undefined ? undefined : inherited(stages, below, keyword));
}

/** The stages that become images: no other stage copies from them or builds on them. */
export function imagesOf(stages: readonly Stage[]): readonly Stage[] {
  const text = stages.flatMap(({ instructions }) => instructions.map(({ argument }) => argument)).join('\n');
  return stages.filter(({ name }) => !stages.some(({ from }) => from === name) && !text.includes(`--from=${name} `));
}

const isExecForm = (argument: string) => /^(--\S+ )*(CMD )?\[(".*")?\]$/.test(argument);
const PINNED = /^[a-z0-9./-]+:\d+\.\d+\.\d+(-[a-z0-9.-]+)?(@sha256:[0-9a-f]{64})?$/;

export const dockerfileRules: readonly Rule[] = [
  {
    title: 'every stage begins with an image of an exact version or with another stage',
    check: (stages) =>
      stages
        .filter(({ from }) => !PINNED.test(from) && !stages.some(({ name }) => name === from))
        .map(({ name, from }) => `${name}: FROM ${from} → a tag with the whole version`),
  },
  {
    title: 'no image runs as root',
    check: (stages) =>
      imagesOf(stages)
        .filter(
          ({ instructions }) =>
            !/^[1-9]\d*:[1-9]\d*$/.test(instructions.filter(({ keyword }) => keyword === 'USER').at(-1)?.argument ?? ''),
        )
        .map(({ name }) => `${name}: has no USER of its own with a number above 0`),
  },
  {
    title: 'programs are started without a shell',
    check: (stages) =>
      stages.flatMap(({ name, instructions }) =>
        instructions
          .filter(
            ({ keyword, argument }) =>
              /^(RUN|CMD|ENTRYPOINT|HEALTHCHECK)$/.test(keyword) && argument !== 'NONE' && !isExecForm(argument),
          )
          .map(({ keyword, argument }) => `${name}: ${keyword} ${argument} → ["…", "…"]`),
      ),
  },
  {
    title: 'every image declares its command and its health check',
    check: (stages) =>
      imagesOf(stages).flatMap((image) =>
        ['CMD', 'HEALTHCHECK']
          .filter((keyword) => inherited(stages, image, keyword) === undefined)
          .map((keyword) => `${image.name}: has no ${keyword}`),
      ),
  },
  {
    title: 'every copied path exists and is named: a copy of the whole tree would include secrets',
    check: (stages, exists) =>
      stages.flatMap(({ name, instructions }) =>
        instructions
          .filter(({ keyword, argument }) => keyword === 'ADD' || (keyword === 'COPY' && !argument.startsWith('--from=')))
          .flatMap(({ keyword, argument }) => [
            ...(keyword === 'ADD' ? [`${name}: ADD ${argument} → COPY`] : []),
            ...argument
              .split(/\s+/)
              .slice(0, -1)
              .filter((path) => path === '.' || !exists(path))
              .map((path) => `${name}: copies ${path}, which is not a single path of this repository`),
          ]),
      ),
  },
  {
    title: 'a copy from a stage names an existing stage, and no variable holds a secret',
    check: (stages) =>
      stages.flatMap(({ name, instructions }) => [
        ...instructions
          .flatMap(({ argument }) => /^--from=(\S+)/.exec(argument)?.[1] ?? [])
          .filter((from) => !stages.some((stage) => stage.name === from))
          .map((from) => `${name}: copies from ${from}, which is no stage`),
        ...instructions
          .filter(({ keyword, argument }) => /^(ENV|ARG)$/.test(keyword) && /(PASSWORD|SECRET|TOKEN|KEK|_KEY)\b/.test(argument))
          .map(({ keyword, argument }) => `${name}: ${keyword} ${argument} → a secret file of the container`),
      ]),
  },
];
