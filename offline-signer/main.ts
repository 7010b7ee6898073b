import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { CARD_ROLES, type CardRole, Serial } from '../platform/fleets/cards';
import { FleetFault } from '../platform/fleets/checks';
import { CONVERSIONS, type Given, MACHINE_COMMANDS, type MachineCommand, textIn } from './commands';
import { newIdentity } from './members/identity';
import { recordingScreen, recordText } from './record';
import { Refused, WrongCall } from './refused';
import type { Screen } from './screen';
import type { Files } from './session';
import { openFolder } from './state/open-folder';
import { createTerminal } from './terminal';

const terminal = createTerminal();
const [REFUSED, USAGE] = [1, 2] as const;
const IDENTITY = '--role device|provisioner|operator --serial <serial>';
const PLACES = '--folder <folder> [--out <folder>]';

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
type Options = MachineCommand['options'];

function valuesOf(words: readonly string[], options: Options, places: readonly string[]): Values {
  const texts = places.map((name) => [name, { type: 'string' as const }] as const);
  const own = Object.entries(options).map(([name, kind]) => {
    const type = kind === 'flag' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: kind === 'files' }] as const;
  });
  try {
    return parseArgs({ args: [...words], options: Object.fromEntries([...texts, ...own]), strict: true }).values;
  } catch (error) {
    throw new WrongCall((error as Error).message);
  }
}

function textOf(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value === '') throw new WrongCall(`--${name} is missing.`);
  return value;
}

const givenIn = (values: Values): Given => ({
  text: (name) => textIn(textOf(values, name)),
  texts: (name) => [values[name] ?? []].flat().map((path) => textIn(String(path))),
  has: (name) => values[name] === true,
});

/** A file of another text is never overwritten. The same text may be there from an earlier run. */
function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    if (existsSync(path) && textIn(path) === text) continue;
    if (existsSync(path)) throw new Refused(`${path} exists already. Run the command again with another --out.`);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true });
  }
  if (Object.keys(files).length > 0) stdout.write(`Written to ${folder}: ${Object.keys(files).join(', ')}\n`);
}

type Run = { readonly name: string; readonly out: string; readonly work: (screen: Screen) => Promise<Files> };

/** Writes the files of the command, and a record of every run, also of a run that was refused. */
async function recorded({ name, out, work }: Run): Promise<void> {
  const date = new Date();
  const { screen, lines } = recordingScreen(terminal);
  const write = (files: Files, outcome: string) => {
    const record = recordText({ command: name, date, lines, files, outcome });
    writeFiles(out, { ...files, [`record-${name}-${date.getTime()}.txt`]: record });
  };
  let files: Files;
  try {
    files = await work(screen);
  } catch (error) {
    write({}, `REFUSED: ${(error as Error).message}`);
    throw error;
  }
  write(files, 'done');
}

const roleOf = (text: string): CardRole => {
  const role = CARD_ROLES.find((one) => one.toLowerCase() === text);
  if (!role) throw new WrongCall('--role must be device, provisioner or operator.');
  return role;
};

async function makeIdentity(words: readonly string[]): Promise<void> {
  const values = valuesOf(words, {}, ['folder', 'out', 'role', 'serial']);
  const [folder, role] = [textOf(values, 'folder'), roleOf(textOf(values, 'role'))];
  const serial = Serial.safeParse(textOf(values, 'serial'));
  if (!serial.success) throw new WrongCall('--serial has 1 to 64 letters, digits, dots, hyphens or underscores.');
  const work = async (screen: Screen) => {
    const pin = await terminal.askSecret('Choose a PIN: ');
    if ((await terminal.askSecret('Type the PIN again: ')) !== pin) throw new Refused('The two PINs differ.');
    return newIdentity(screen, { folder, pin, role, serial: serial.data });
  };
  await recorded({ name: 'identity', out: typeof values['out'] === 'string' ? values['out'] : folder, work });
}

async function runCommand(name: string, { options, run }: MachineCommand, words: readonly string[]): Promise<void> {
  const values = valuesOf(words, options, ['folder', 'out']);
  const folder = textOf(values, 'folder');
  const work = async (screen: Screen) => {
    const open = openFolder(folder, await terminal.askSecret('PIN: '));
    return run({ open, screen, now: () => new Date() }, givenIn(values));
  };
  await recorded({ name, out: typeof values['out'] === 'string' ? values['out'] : folder, work });
}

function convert(name: string, words: readonly string[]): void {
  const conversion = CONVERSIONS[name];
  if (!conversion) throw new WrongCall('There is no such command.');
  const values = valuesOf(words, conversion.options, ['out']);
  writeFiles(textOf(values, 'out'), conversion.run(givenIn(values)));
}

const usage = (): string =>
  [
    'Usage:',
    `  strongroom-offline-signer identity ${IDENTITY} ${PLACES}`,
    ...Object.entries(MACHINE_COMMANDS).map(
      ([name, { usage: own }]) => `  strongroom-offline-signer ${[name, own, PLACES].filter(Boolean).join(' ')}`,
    ),
    ...Object.entries(CONVERSIONS).map(([name, { usage: own }]) => `  strongroom-offline-signer ${name} ${own} --out <folder>`),
    'In a clone of the project, npm run offline-signer -- <command> runs the program.',
  ].join('\n');

async function run(name: string, words: readonly string[]): Promise<void> {
  if (name === 'identity') return makeIdentity(words);
  const command = Object.hasOwn(MACHINE_COMMANDS, name) ? MACHINE_COMMANDS[name] : undefined;
  if (command) return runCommand(name, command, words);
  if (Object.hasOwn(CONVERSIONS, name)) return convert(name, words);
  throw new WrongCall(name === '' ? 'A command is missing.' : `There is no command ${name}.`);
}

/** Returns the exit code: 0 for done, 1 for refused, 2 for a wrong call. */
async function main([name = '', ...words]: readonly string[]): Promise<number> {
  if (name === '--help' || words.includes('--help')) {
    stdout.write(`${usage()}\n`);
    return 0;
  }
  try {
    await run(name, words);
    return 0;
  } catch (error) {
    const isUsage = error instanceof WrongCall;
    const isRefusal = error instanceof Refused || error instanceof FleetFault;
    const { message } = error as Error;
    stderr.write(isUsage ? `${message}\n${usage()}\n` : `REFUSED: ${isRefusal ? message : `unexpected fault: ${message}`}\n`);
    return isUsage ? USAGE : REFUSED;
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  terminal.close();
});
