import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auth } from './auth';
import type { Bench, Figure } from './bench';
import { chains } from './chains';
import { ROOT } from './config';
import { exported } from './exports';
import { feed } from './feed';
import { fleet } from './fleet';
import { history } from './history';
import { idle } from './idle';
import { incoming } from './incoming';
import { indexing } from './indexing';
import { takenOn } from './machine';
import { memory } from './memory';
import { policy } from './policy';
import { reads } from './reads';
import { relay } from './relay';
import { isMet, sectionOf, spell, withSection } from './results';
import { signatures } from './signatures';
import { signer } from './signer';
import { signerPeople } from './signer-people';
import { signerRecord } from './signer-record';
import { signerReplica } from './signer-replica';
import { steps } from './steps';
import { turns } from './turns';
import { waiting } from './waiting';
import { watched } from './watched';
import { webhooks } from './webhooks';
import { workflows } from './workflows';

const BENCHES: readonly Bench[] = [
  workflows,
  steps,
  memory,
  webhooks,
  relay,
  feed,
  fleet,
  exported,
  indexing,
  incoming,
  watched,
  idle,
  history,
  turns,
  reads,
  auth,
  signer,
  signatures,
  signerRecord,
  signerPeople,
  signerReplica,
  waiting,
  policy,
  chains,
];
const RESULTS = join(ROOT, 'bench', 'RESULTS.md');

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Runs the named benches, or all benches. A full-size run records its figures; a smaller run does so only with `--write`. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: '1' }, write: { type: 'boolean', default: false } },
  });
  const size = Number(values.size);
  if (!(size > 0 && size <= 10)) throw new Error(`--size is a number above 0 and up to 10, not ${values.size}`);
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0)
    throw new Error(`There is no bench ${unknown.join(', ')}; there are ${BENCHES.map(({ name }) => name).join(', ')}`);

  const missed: Figure[] = [];
  for (const { name, run } of BENCHES.filter((bench) => positionals.length === 0 || positionals.includes(bench.name))) {
    const figures = await run({ size, say: (line) => say(`${name} | ${line}`) });
    const section = sectionOf(name, takenOn(size), figures);
    say(`\n${section}\n`);
    missed.push(...figures.filter((figure) => isMet(figure) === false));
    if (size >= 1 || values.write) {
      writeFileSync(RESULTS, withSection(existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '', name, section));
    }
  }
  say(missed.length === 0 ? 'Every aim was met.' : `${missed.length} aims were missed:`);
  for (const { name, value, unit, note } of missed) say(`  ${name}: ${spell(value, unit)}${note ? ` (${note})` : ''}`);
}

process.once('SIGTERM', () => process.exit(143)); // the child processes end together with this process

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
