import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MINUTE_MS } from '../domain/durations';
import { runRedTeam } from './run';
import { openStage } from './stage';

const LANES = 12;
const TELL_EVERY_MS = 30_000;
const say = (text: string) => process.stdout.write(`${text}\n`);

const numberOf = (name: string, text: string): number => {
  const value = Number(text);
  if (value >= 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} is a number from 0, not ${text}`);
};

/** Resident memory of the process in MiB. */
const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      minutes: { type: 'string', default: '10' },
      only: { type: 'string' },
    },
  });
  const { seed } = values;
  const minutes = numberOf('minutes', values.minutes);
  const only = values.only === undefined ? undefined : numberOf('only', values.only);
  say(`seed ${seed}`);
  const stage = await openStage({ arithmetic: 'native' });
  const { signer, organization, stateDir } = stage;
  try {
    const before = residentMiB(signer.pid);
    const deadline = performance.now() + minutes * MINUTE_MS;
    const goesOn = () => performance.now() < deadline;
    let told = performance.now();
    const tell = (attempts: number) => {
      if (performance.now() - told >= TELL_EVERY_MS) {
        told = performance.now();
        say(`${attempts} attempts`);
      }
      return goesOn();
    };
    const { tally, successes, faults, fates } = await runRedTeam(signer, organization, {
      ...{ seed, only, goesOn: tell, lanes: LANES, stateDir },
    });
    const after = residentMiB(signer.pid);
    for (const line of tally.lines()) say(line);
    say(`honest orders: ${fates.done} carried out, ${fates.taken} carried out before by the attacker, ${faults.length} refused`);
    say(`memory of the signer: ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`);
    for (const fault of new Set(faults)) say(`  ${fault}`);
    for (const { attempt, kind, gain } of successes)
      say(`  attempt ${attempt}, ${kind}: ${gain}; again: npm run red-team -- --seed ${seed} --only ${attempt}`);
    say(`${tally.attempts()} attacks, ${successes.length} succeeded`);
    return successes.length === 0 && faults.length === 0;
  } finally {
    await signer.stop();
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
