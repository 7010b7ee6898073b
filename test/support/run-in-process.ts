import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MACHINE_COMMANDS, textIn } from '../../offline-signer/commands';
import { newIdentity } from '../../offline-signer/members/identity';
import type { Screen } from '../../offline-signer/screen';
import { openFolder } from '../../offline-signer/state/open-folder';
import { CARD_ROLES } from '../../platform/fleets/cards';
import type { RunProgram } from './ceremony-walk';
import { PIN, QUICK_PIN } from './offline-fleet';

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

function valuesOf(name: string, rest: readonly string[]): Values {
  const own = Object.entries(MACHINE_COMMANDS[name]?.options ?? { role: 'file', serial: 'file' }).map(([option, kind]) => [
    option,
    { type: kind === 'flag' ? ('boolean' as const) : ('string' as const), multiple: kind === 'files' },
  ]);
  const places = { folder: { type: 'string' as const }, out: { type: 'string' as const } };
  return parseArgs({ args: [...rest], options: { ...places, ...Object.fromEntries(own) }, strict: true }).values as Values;
}

/** The commands of the program, without a process and with a PIN that costs no time. */
export const runInProcess: RunProgram = async (folder, [name = '', ...rest], answer) => {
  const values = valuesOf(name, rest);
  const lines: string[] = [];
  const asked = (question: string) => {
    lines.push(question);
    return answer(question);
  };
  const screen: Screen = {
    say: (said) => void lines.push(...said),
    confirm: async (question) => asked(`${question} (yes or no) `) === 'yes',
    ask: async (question) => asked(question),
    askSecret: async (question) => asked(question),
  };
  const at = (option: string) => join(folder, String(values[option]));
  const command = MACHINE_COMMANDS[name];
  const role = CARD_ROLES.find((one) => one.toLowerCase() === values['role']);
  const files = command
    ? await command.run(
        { open: openFolder(at('folder'), PIN), screen, now: () => new Date() },
        {
          text: (option) => textIn(at(option)),
          texts: (option) => [values[option] ?? []].flat().map((path) => textIn(join(folder, String(path)))),
          has: (option) => values[option] === true,
        },
      )
    : await newIdentity(screen, {
        ...{ folder: at('folder'), pin: PIN, role: role ?? 'Operator', serial: String(values['serial']), cost: QUICK_PIN },
      });
  mkdirSync(at('out'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at('out'), file), text, { flag: 'wx' });
  return lines;
};
