import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { newIdentity } from '../../offline-signer/members/identity';
import type { Screen } from '../../offline-signer/screen';
import type { Session } from '../../offline-signer/session';
import { openFolder } from '../../offline-signer/state/open-folder';
import { Card, type CardRole, cardDigest } from '../../platform/fleets/cards';
import { shortDigest } from '../../platform/fleets/statement';

const PIN = 'the people of this machine';
/** The attacker has neither the folder nor the PIN, so the cost of a guess does not matter. */
const PIN_COST = { N: 2 ** 4, r: 8, p: 1 } as const;
const MEMBERS: Readonly<Record<CardRole, string>> = {
  Device: 'the new device',
  Provisioner: 'the provisioner',
  Operator: 'the operator',
};

/** The fingerprints that people have written on paper, by the words with which a program asks for one. */
export type Paper = Map<string, string>;

/** `agrees` is what the people at the machine answer to a question. `today` is the date of their own clock. */
export type People = { agrees: (question: string, said: readonly string[]) => boolean; today: () => string };

/** People type only what is on the paper. `said` has the lines since the last question. */
function screenOf(paper: Paper, people: People): Screen & { readonly page: () => readonly string[] } {
  let page: readonly string[] = [];
  return {
    page: () => page,
    say: (lines) => {
      page = lines;
    },
    confirm: (question) => Promise.resolve(people.agrees(question, page)),
    ask(question) {
      if (question.includes('date of today')) return Promise.resolve(people.today());
      const [, what = ''] = /fingerprint of (.+) from paper/.exec(question) ?? [];
      return Promise.resolve(paper.get(what) ?? 'not on the paper');
    },
    askSecret: () => Promise.resolve(''),
  };
}

export type Machine = {
  readonly folder: string;
  readonly card: Card;
  readonly cardText: string;
  readonly people: People;
  /** Opens the folder again, as each run of the program does. */
  readonly session: (now?: () => Date) => Session;
};

const today = () => new Date().toISOString().slice(0, 10);

function machineAt(folder: string, cardText: string, paper: Paper): Machine {
  const people: People = { agrees: () => true, today };
  const screen = screenOf(paper, people);
  const session = (now = () => new Date()) => ({ open: openFolder(folder, PIN), screen, now });
  return { folder, card: Card.parse(JSON.parse(cardText)), cardText, people, session };
}

/** A new machine, whose fingerprint people write on the paper. */
export async function createMachine(root: string, paper: Paper, role: CardRole, serial: string): Promise<Machine> {
  const folder = join(root, serial);
  const screen = screenOf(paper, { agrees: () => true, today });
  const { 'card.json': cardText = '' } = await newIdentity(screen, { folder, pin: PIN, role, serial, cost: PIN_COST });
  const machine = machineAt(folder, cardText, paper);
  for (const name of [MEMBERS[role], 'the new member']) paper.set(`${name} ${serial}`, shortDigest(cardDigest(machine.card)));
  return machine;
}

/** A second machine with the same keys and claims, but with papers and people of its own. */
export function copyMachine({ folder, cardText }: Machine, place: string, paper: Paper): Machine {
  cpSync(folder, place, { recursive: true });
  return machineAt(place, cardText, paper);
}
