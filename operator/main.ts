import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { openStrongroomDatabase } from '../entities/data-source';
import { createCodeDigest } from '../platform/one-time-codes';
import { createSecretBox } from '../platform/secret-box';
import { createTemporalClient } from '../platform/temporal-client';
import { CHARTER_COMMANDS } from './charter-commands';
import { COMMANDS as ONLINE_COMMANDS } from './commands';
import { operatorConfig, operatorTemporalConfig } from './config';
import { KEY_STORE_COMMANDS } from './key-store-commands';

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** Runs one operator command: `node dist/operator/main.js org:create --name …`. */
async function main(given: readonly string[]): Promise<void> {
  const { name, words } = commandIn(given);
  const commands = await commandsFor(name);
  const known = commands.find(([command]) => command === name);
  const usage = `Usage:\n${(known ? [known] : commands).map(usageOf).join('\n')}`;
  if (asksForHelp([name, ...words])) return say([usage]);
  if (!known) throw new Error(usage);
  const [, command] = known;
  const options = readWords(command.options, words, usageOf(known));
  if ('isOffline' in command) return say(await command.run(options as never));
  const { DATABASE_URL: url, DATA_KEK } = operatorConfig();
  const db = await openStrongroomDatabase({ url, poolMax: 1, applicationName: 'strongroom-operator' });
  let client: Client | undefined;
  const temporal = () => {
    client ??= createTemporalClient(operatorTemporalConfig(), DATA_KEK);
    return client;
  };
  try {
    const mailContents = createSecretBox(DATA_KEK, 'mails');
    say(await command.run({ db, codeDigest: createCodeDigest(DATA_KEK), mailContents, temporal }, options as never));
  } finally {
    await Promise.all([db.close(), client?.connection.close()]);
  }
}

/** The name of a command can have two words, such as `key-store add`. */
function commandIn([first = '', second, ...rest]: readonly string[]) {
  const name = `${first} ${second}`;
  if (Object.hasOwn(KEY_STORE_COMMANDS, name)) return { name, words: rest };
  return { name: first, words: second === undefined ? [] : [second, ...rest] };
}

/**
 * Loads `offline-commands` only when needed, because these commands load the code of all chains, which is half of all modules.
 */
async function commandsFor(name: string) {
  const online = Object.entries({ ...ONLINE_COMMANDS, ...CHARTER_COMMANDS, ...KEY_STORE_COMMANDS });
  if (online.some(([command]) => command === name)) return online;
  if (name === 'key-store') return Object.entries(KEY_STORE_COMMANDS);
  const { KEEPING_COMMANDS } = await import('./offline-commands.js');
  return [...online, ...Object.entries(KEEPING_COMMANDS)];
}

const asksForHelp = (words: readonly string[]): boolean => words.some((word) => word === '--help' || word === '-h');

const say = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

const usageOf = ([name, { usage }]: readonly [string, { readonly usage: string }]) => `  npm run ${scriptOf(name)} ${usage}`;

const scriptOf = (name: string): string => (name.includes(' ') ? name.replace(' ', ' -- ') : `${name} --`);

function readWords(schema: z.ZodObject, words: readonly string[], usage: string): Given {
  try {
    const options = Object.fromEntries(
      Object.entries(schema.shape).map(([name, one]) => [
        name,
        { type: takesText(one) ? ('string' as const) : ('boolean' as const) },
      ]),
    );
    const { values } = parseArgs({ args: [...words], options, strict: true });
    return schema.parse({ ...values }) as Given;
  } catch (error) {
    const faults = error instanceof z.ZodError ? error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`) : [];
    const message = faults.length > 0 ? faults.join('\n') : messageOf(error);
    throw new Error(`${message}\nUsage:\n${usage}`);
  }
}

const takesText = (schema: z.core.$ZodType): boolean => !z.safeParse(schema, true).success;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
