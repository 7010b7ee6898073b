import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { MINUTE_MS } from '../../domain/durations';
import { drillConfig } from '../../drill/config';
import { openService } from './open-service';
import { attackService } from './run-service';

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
  const service = await openService(drillConfig());
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`ends by ${signal}`);
      isInterrupted = true;
    });
  try {
    let began: number | undefined;
    const goesOn = () => {
      began ??= performance.now();
      return !isInterrupted && performance.now() - began < minutes * MINUTE_MS;
    };
    const { tally, gains, endings, payments, signatures, stories, direct } = await attackService(service, { seed, goesOn, say });
    for (const line of [...tally.lines(), ...endings]) say(line);
    for (const fault of new Set(direct.faults)) say(`  at the signer: ${fault}`);
    for (const death of service.rig.deaths()) say(`  ended by itself: ${death}`);
    say(`${stories} stories of people, ${payments} payments in blocks, ${signatures} signatures of their organisation`);
    say(`${tally.attempts()} attacks on the service and ${direct.attempts} on its signer, ${gains.length} succeeded`);
    for (const gain of gains) say(`  ${gain}; again: npm run red-team -- --service --minutes ${minutes} --seed ${seed}`);
    // A run is a proof only if it attacked both the service and the signer.
    const isWhole = !isInterrupted && tally.attempts() > 0 && direct.attempts > 0;
    if (!isWhole) say(isInterrupted ? 'the run was interrupted' : 'the run was too short');
    return gains.length === 0 && direct.faults.length === 0 && isWhole;
  } finally {
    await service.rig.close();
  }
}

main().then(
  (held) => process.exit(held ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
