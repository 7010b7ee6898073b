import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Paper } from '../../local/fleets/paper';
import { inputIn } from '../../local/fleets/service';
import { genesis } from '../../offline-signer/ceremonies/genesis';
import { newIdentity } from '../../offline-signer/members/identity';
import type { Screen } from '../../offline-signer/screen';
import type { Files, Session } from '../../offline-signer/session';
import { signGroup } from '../../offline-signer/signing/sign-group';
import { openFolder } from '../../offline-signer/state/open-folder';

const PIN = 'a long sentence of this machine';
/** The PIN of a drill protects nothing. */
const QUICK_PIN = { N: 2 ** 4, r: 8, p: 1 } as const;
const DICE_ROLLS = 60;
export const PROVISIONERS = 2;
export const DEVICE_SERIAL = 'D-1';

/** The machines of one fleet, which share only archives and the paper. They run the code of the device in this process. */
export type Machines = {
  /** The same archive gives the same files again. */
  readonly hold: (archive: string) => Promise<Files>;
  /** Signs the requests to which the people agree. The same archive gives the same files again. */
  readonly sign: (archive: string) => Promise<Files>;
};

/** `agrees` is the answer to each question for a yes or no. */
export async function createMachines(root: string, agrees: (question: string) => boolean = () => true): Promise<Machines> {
  const paper = new Paper();
  const rolls = () => Array.from({ length: DICE_ROLLS }, () => String(randomInt(1, 7))).join('');
  const ask = (question: string) => Promise.resolve(paper.answerTo(question, { pin: PIN, rolls }) ?? '');
  const screen: Screen = {
    say: (lines) => paper.read(lines),
    confirm: (question) => Promise.resolve(agrees(question)),
    ...{ ask, askSecret: ask },
  };
  const machine = async (role: 'Device' | 'Provisioner' | 'Operator', serial: string) => {
    const folder = join(root, serial);
    const files = await newIdentity(screen, { folder, pin: PIN, role, serial, cost: QUICK_PIN });
    return { folder, card: files['card.json'] ?? '' };
  };
  const device = await machine('Device', DEVICE_SERIAL);
  const operator = await machine('Operator', 'M-1');
  const provisioners: string[] = [];
  for (let at = 1; at <= PROVISIONERS; at += 1) provisioners.push((await machine('Provisioner', `P-${at}`)).card);
  /** Each use opens the folder again, as a new run of the program does. */
  const session = (archive: string): Session => {
    paper.readSigner(inputIn(archive).signed.by);
    return { open: openFolder(device.folder, PIN), screen, now: () => new Date() };
  };
  return {
    hold: (input) => genesis(session(input), { input, provisioners, operator: operator.card, noDice: false }),
    sign: (input) => signGroup(session(input), { input }),
  };
}
