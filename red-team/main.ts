import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MINUTE_MS } from '../domain/durations';
import { ATTACK_GROUPS, type AttackGroup } from './attacks/all';
import { type RunResult, runRedTeam } from './run';
import { openStage } from './stage';

const LANES = 12;
const TELL_EVERY_MS = 30_000;
const say = (text: string) => process.stdout.write(`${text}\n`);

const numberOf = (name: string, text: string): number => {
  const value = Number(text);
  if (value >= 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} is a number from 0, not ${text}`);
};

/** Resident memory of the process in MiB. Throws if the process has ended. */
const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

type Options = {
  readonly seed: string;
  readonly minutes: number;
  readonly attemptsMax: number;
  readonly only: number | undefined;
  readonly program: string | undefined;
  readonly stops: boolean;
  readonly groups: readonly AttackGroup[];
};

function optionsGiven(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      minutes: { type: 'string', default: '10' },
      attempts: { type: 'string', default: String(Number.MAX_SAFE_INTEGER) },
      only: { type: 'string' },
      /** Runs only these groups of attacks. */
      groups: { type: 'string', default: ATTACK_GROUPS.join() },
      /** The main file of a modified signer. With this option, a test proves that the run notices a missing control. */
      program: { type: 'string' },
      /** Ends the run at the first success. */
      stops: { type: 'boolean', default: false },
    },
  });
  const { seed, stops, program, only } = values;
  const groups = ATTACK_GROUPS.filter((group) => values.groups.split(',').includes(group));
  if (groups.length === 0) throw new Error(`--groups names some of ${ATTACK_GROUPS.join()}, not ${values.groups}`);
  return {
    ...{
      seed,
      stops,
      program,
      groups,
      minutes: numberOf('minutes', values.minutes),
      attemptsMax: numberOf('attempts', values.attempts),
    },
    only: only === undefined ? undefined : numberOf('only', only),
  };
}

function report({ tally, successes, faults, fates }: RunResult, seed: string): boolean {
  for (const line of tally.lines()) say(line);
  const { done, taken } = fates;
  say(`honest orders: ${done} carried out, ${taken} carried out before by the attacker, ${faults.length} refused`);
  for (const fault of new Set(faults)) say(`  ${fault}`);
  for (const { attempt, kind, gain } of successes)
    say(`  attempt ${attempt}, ${kind}: ${gain}; again: npm run red-team -- --seed ${seed} --only ${attempt}`);
  return successes.length === 0 && faults.length === 0;
}

async function main(): Promise<boolean> {
  const { seed, minutes, attemptsMax, only, program, stops, groups } = optionsGiven();
  say(`seed ${seed}`);
  const stage = await openStage({ arithmetic: 'native', program, isCompiled: program !== undefined });
  const { signer, organization, stateDir } = stage;
  const deadline = performance.now() + minutes * MINUTE_MS;
  let told = performance.now();
  let isInterrupted = false;
  // The run then ends as at its deadline, and stops its signer.
  const interrupt = () => {
    isInterrupted = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  const goesOn = ({ attempts, successes }: { readonly attempts: number; readonly successes: number }) => {
    if (performance.now() - told >= TELL_EVERY_MS) {
      told = performance.now();
      say(`${attempts} attempts, ${successes} succeeded, ${residentMiB(signer.pid).toFixed(0)} MiB`);
    }
    return !isInterrupted && performance.now() < deadline && attempts < attemptsMax && !(stops && successes > 0);
  };
  let isStopped = false;
  try {
    const before = residentMiB(signer.pid);
    const result = await runRedTeam(signer, organization, { seed, only, goesOn, lanes: LANES, stateDir, groups });
    const after = residentMiB(signer.pid);
    const { logEntries } = await signer.client.health();
    await signer.stop();
    isStopped = true;
    await stage.assertJournal(logEntries);
    const held = report(result, seed);
    say(`the signer is alive with ${logEntries} signatures, and its journal is whole`);
    say(`memory of the signer: ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`);
    say(`${result.tally.attempts()} attacks, ${result.successes.length} succeeded`);
    return held;
  } finally {
    if (!isStopped) await signer.stop();
    stage.close();
  }
}

main().then(
  (held) => {
    process.exitCode = held ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
