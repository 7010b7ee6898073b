import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { MINUTE_MS } from '../../domain/durations';
import { runFleetRedTeam } from './run';
import { openVault } from './vault';

const TELL_EVERY_MS = 30_000;
const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      minutes: { type: 'string', default: '10' },
    },
  });
  const { seed } = values;
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes is a number above 0, not ${values.minutes}`);
  say(`seed ${seed}`);
  const vault = await openVault({ arithmetic: 'native' });
  const deadline = performance.now() + minutes * MINUTE_MS;
  let told = performance.now();
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      isInterrupted = true;
    });
  try {
    const result = await runFleetRedTeam(vault, {
      seed,
      goesOn({ attempts, successes }) {
        if (performance.now() - told >= TELL_EVERY_MS) {
          told = performance.now();
          say(`${attempts} attacks, ${successes} succeeded`);
        }
        return !isInterrupted && performance.now() < deadline;
      },
    });
    const { tally, successes, faults, honest } = result;
    for (const line of tally.lines()) say(line);
    say(`honest archives: ${honest} signed, ${faults.length} refused`);
    for (const fault of new Set(faults)) say(`  ${fault}`);
    for (const { attempt, kind, gain } of successes) say(`  attempt ${attempt}, ${kind}: ${gain}; seed ${seed}`);
    say(`${tally.attempts()} attacks on the fleet, ${successes.length} succeeded`);
    return successes.length === 0 && faults.length === 0;
  } finally {
    await vault.close();
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
