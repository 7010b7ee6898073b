import { stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { HashChain } from '../domain/hash-chains';
import { checkAddress } from './address';
import { checkApproval } from './approval';
import { evidence } from './evidence';
import { checkChain } from './hash-chain';
import { DEFAULT_HOME } from './home';
import { NotVerified, WrongUsage } from './not-verified';
import { signRequest } from './request';
import { restrict } from './restrict';
import { sign } from './sign';
import type { Terminal } from './signed-file';
import { trust } from './trust';

const Path = z.string().min(1).max(4_096);
const home = Path.default(DEFAULT_HOME);
const REFUSED = 1;
const USAGE = 2;

type Command = {
  readonly usage: string;
  readonly options: z.ZodObject;
  readonly run: (given: never, now: Date) => readonly string[] | Promise<readonly string[]>;
};
const command = <S extends z.ZodObject>(
  usage: string,
  options: S,
  run: (given: z.output<S>, now: Date) => readonly string[] | Promise<readonly string[]>,
): Command => ({ usage, options, run });

const say = (lines: readonly string[]) => void stdout.write(`${lines.join('\n')}\n`);

/** If the input ends before the person types a line, the result is an empty line, which does not confirm anything. */
const terminal: Terminal = {
  show: say,
  async ask(question) {
    const reader = createInterface({ input: stdin, output: stdout });
    const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    try {
      return await Promise.race([reader.question(question), closed]);
    } finally {
      reader.close();
      stdout.write('\n');
    }
  },
};

const chainCommand = (chain: HashChain, file: string) =>
  command(
    `${file} --organization <or-…> [--after <cursor>] [--signer-key <hex> [--checkpoint <file>] [--witness <file>]]`,
    z.strictObject({
      ...{ file: Path, organization: z.string().min(1).max(64), after: z.string().optional() },
      ...{ 'signer-key': z.string().optional(), checkpoint: Path.optional(), witness: Path.optional() },
    }),
    ({ 'signer-key': signerKey, ...given }) => checkChain(chain, { ...given, signerKey }),
  );

const COMMANDS: Readonly<Record<string, Command>> = {
  trust: command(
    '--charter <file.signed> [--operator-key <base64 or hex>] [--home <folder>]',
    z.strictObject({ home, charter: Path, 'operator-key': z.string().optional() }),
    ({ 'operator-key': operatorKey, ...given }, now) => trust({ ...given, operatorKey }, now),
  ),
  approval: command(
    '--file <approval.json> [--address-book <file>] [--home <folder>]',
    z.strictObject({ home, file: Path, 'address-book': Path.optional() }),
    ({ 'address-book': addressBook, ...given }, now) => checkApproval({ ...given, addressBook }, now),
  ),
  sign: command(
    '--file <challenge.json> --approval <approval.json> --key <pem> --to <file> [--deny] [--reason <text>] [--credential <id>] [--address-book <file>] [--home <folder>]',
    z.strictObject({
      ...{ home, file: Path, approval: Path, key: Path, to: Path },
      ...{ deny: z.boolean().optional(), reason: z.string().max(1_000).optional(), credential: z.string().optional() },
      'address-book': Path.optional(),
    }),
    ({ 'address-book': addressBook, ...given }, now) => sign({ ...given, addressBook }, terminal, now),
  ),
  request: command(
    '--file <challenge.json> --request <request.json> --key <pem> --to <file> [--credential <id>] [--address-book <file>] [--home <folder>]',
    z.strictObject({
      ...{ home, file: Path, request: Path, key: Path, to: Path },
      ...{ credential: z.string().optional(), 'address-book': Path.optional() },
    }),
    ({ 'address-book': addressBook, ...given }, now) => signRequest({ ...given, addressBook }, terminal, now),
  ),
  restrict: command(
    '--charter <file.signed> --key <pem> --remove <us-…[/cred-…],…> --to <file> [--in-force <digest>] [--operator-key <base64 or hex>] [--home <folder>]',
    z.strictObject({
      ...{ home, charter: Path, key: Path, remove: z.string().min(1), to: Path },
      ...{ 'in-force': z.string().optional(), 'operator-key': z.string().optional() },
    }),
    ({ 'in-force': inForce, 'operator-key': operatorKey, ...given }, now) =>
      restrict({ ...given, inForce, operatorKey }, terminal, now),
  ),
  address: command(
    '--file <attestation.json> --signer-key <hex> [--address <address>]',
    z.strictObject({ file: Path, 'signer-key': z.string(), address: z.string().max(128).optional() }),
    ({ 'signer-key': signerKey, ...given }) => checkAddress({ ...given, signerKey }),
  ),
  feed: chainCommand('feed', '--file <events.json>'),
  audit: chainCommand('audit', '--file <audit-log.json>'),
  evidence: command(
    '--file <evidence.json> --charter <file.signed> [--operator-key <base64 or hex>] [--address-book <file>] [--home <folder>]',
    z.strictObject({
      ...{ home, file: Path, charter: Path },
      ...{ 'operator-key': z.string().optional(), 'address-book': Path.optional() },
    }),
    ({ 'operator-key': operatorKey, 'address-book': addressBook, ...given }, now) =>
      evidence({ ...given, operatorKey, addressBook }, now),
  ),
};

const usageOf = (names: readonly string[]) =>
  ['Usage:', ...names.map((name) => `  strongroom-verify ${name} ${COMMANDS[name]?.usage ?? ''}`)].join('\n');

function optionsOf({ options: schema }: Command, words: readonly string[]): never {
  const takesText = (one: z.core.$ZodType) => !z.safeParse(one, true).success;
  const options = Object.fromEntries(
    Object.entries(schema.shape).map(([name, one]) => [
      name,
      { type: takesText(one) ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  try {
    return schema.parse({ ...parseArgs({ args: [...words], options, strict: true }).values }) as never;
  } catch (error) {
    const faults = error instanceof z.ZodError ? error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`) : [];
    throw new WrongUsage(faults.length > 0 ? faults.join('\n') : (error as Error).message);
  }
}

/** Returns the exit code: 0 for verified, 1 for refused, 2 for a wrong call. */
async function main([name = '', ...words]: readonly string[]): Promise<number> {
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!known || words.includes('--help')) {
    (known ? stdout : stderr).write(`${usageOf(known ? [name] : Object.keys(COMMANDS))}\n`);
    return known ? 0 : USAGE;
  }
  try {
    say(await known.run(optionsOf(known, words), new Date()));
    return 0;
  } catch (error) {
    if (error instanceof NotVerified) {
      stderr.write(`REFUSED: ${error.message}\n`);
      return REFUSED;
    }
    stderr.write(`${(error as Error).message}\n${usageOf([name])}\n`);
    return USAGE;
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
