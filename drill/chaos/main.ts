import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { drillConfig } from '../config';
import { openStage } from '../rig';
import { PARTIES } from './actors';
import { runChaos } from './chaos';
import { CHAOS_NETWORKS } from './schedule';

const say = (text: string) => process.stdout.write(`${text}\n`);

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} is a number above 0, not ${text}`);
};

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      minutes: { type: 'string', default: '10' },
      transfers: { type: 'string', default: '500' },
    },
  });
  const config = drillConfig();
  const stage = await openStage(config, { gated: false });
  process.once('SIGTERM', () => void stage.close().then(() => process.exit(130)));
  try {
    const running = config.LOCAL_NETWORKS.split(',');
    const options = {
      seed: values.seed,
      minutes: positive('minutes', values.minutes),
      transfers: Math.ceil(positive('transfers', values.transfers)),
      networks: CHAOS_NETWORKS.filter((name) => name === CHAOS_NETWORKS[0] || running.includes(PARTIES[name].port)),
    };
    const violations = await runChaos(stage, options, say);
    for (const death of stage.deaths()) say(`  ended without being killed: ${death}`);
    for (const violation of violations) say(`  ${violation}`);
    const again = `npm run chaos -- --seed ${values.seed} --minutes ${values.minutes} --transfers ${values.transfers}`;
    say(violations.length === 0 ? '\neverything held' : `\n${violations.length} violations; to repeat the run: ${again}`);
    return violations.length === 0;
  } finally {
    await stage.close();
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
