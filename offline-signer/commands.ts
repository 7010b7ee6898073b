import { readFileSync, statSync } from 'node:fs';
import { ARCHIVE_CHARS_MAX } from './archives/bounds';
import { framesOf, joinFrames } from './archives/frames';
import { addOperator, addProvisioner } from './ceremonies/add-members';
import { cloneExport, cloneImport } from './ceremonies/clone';
import { genesis } from './ceremonies/genesis';
import { harvest } from './ceremonies/harvest';
import { prove } from './ceremonies/prove';
import { recover } from './ceremonies/recover';
import { approve, contribute } from './members/approve';
import { follow } from './members/follow';
import { discard, show } from './members/show';
import { takeShare } from './members/take-share';
import { Refused, WrongCall } from './refused';
import type { Files, Session } from './session';
import { signGroup } from './signing/sign-group';
import { trustCharter } from './signing/trusted-charter';

/** The options of one call: texts of single files, of lists of files, and flags. */
export type Given = {
  readonly text: (option: string) => string;
  readonly texts: (option: string) => readonly string[];
  readonly has: (option: string) => boolean;
};
type OptionKind = 'file' | 'files' | 'flag';
export type MachineCommand = {
  readonly usage: string;
  readonly options: Readonly<Record<string, OptionKind>>;
  /** Returns the files to write. */
  readonly run: (session: Session, given: Given) => Promise<Files>;
};

/** Throws for a file that is missing, longer than any archive, or no file, such as a link to a device without an end. */
export function textIn(path: string): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Refused(`${path} is not a file.`);
    if (found.size > ARCHIVE_CHARS_MAX) throw new Refused(`${path} is longer than any archive.`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new WrongCall(`${path} cannot be read.`);
  }
}

const NO_FILES: Files = {};

const approvals = '[--approval <approval.json> …]';
const withCard = { in: 'file', card: 'file', approval: 'files' } as const;
const cardGiven = ({ text, texts }: Given) => ({ input: text('in'), card: text('card'), approvals: texts('approval') });

/** The commands that need the PIN of the folder. */
export const MACHINE_COMMANDS: Readonly<Record<string, MachineCommand>> = {
  genesis: {
    usage: '--in <input> --provisioner <card.json> … --operator <card.json> [--no-dice]',
    options: { in: 'file', provisioner: 'files', operator: 'file', 'no-dice': 'flag' },
    run: (session, { text, texts, has }) =>
      genesis(session, {
        ...{ input: text('in'), provisioners: texts('provisioner'), operator: text('operator') },
        noDice: has('no-dice'),
      }),
  },
  harvest: {
    usage: `--in <input> ${approvals}`,
    options: { in: 'file', approval: 'files' },
    run: (session, { text, texts }) => harvest(session, { input: text('in'), approvals: texts('approval') }),
  },
  'add-provisioner': {
    usage: `--in <input> --card <card.json> ${approvals}`,
    options: withCard,
    run: (session, given) => addProvisioner(session, cardGiven(given)),
  },
  'add-operator': {
    usage: `--in <input> --card <card.json> ${approvals}`,
    options: withCard,
    run: (session, given) => addOperator(session, cardGiven(given)),
  },
  'clone-export': {
    usage: `--in <input> --card <card.json> ${approvals}`,
    options: withCard,
    run: (session, given) => cloneExport(session, cardGiven(given)),
  },
  'clone-import': {
    usage: '--in <input> --package <clone.json>',
    options: { in: 'file', package: 'file' },
    run: (session, { text }) => cloneImport(session, { input: text('in'), package: text('package') }),
  },
  recover: {
    usage: '--in <input> --contribution <contribution.json> …',
    options: { in: 'file', contribution: 'files' },
    run: (session, { text, texts }) => recover(session, { input: text('in'), contributions: texts('contribution') }),
  },
  prove: {
    usage: '--in <input>',
    options: { in: 'file' },
    run: (session, { text }) => prove(session, { input: text('in') }),
  },
  sign: {
    usage: '--in <input>',
    options: { in: 'file' },
    run: (session, { text }) => signGroup(session, { input: text('in') }),
  },
  'trust-charter': {
    usage: '--charter <charter.json>',
    options: { charter: 'file' },
    run: (session, { text }) => trustCharter(session, { charter: text('charter') }).then(() => NO_FILES),
  },
  approve: {
    usage: '--proposal <proposal.json>',
    options: { proposal: 'file' },
    run: (session, { text }) => approve(session, { proposal: text('proposal') }),
  },
  contribute: {
    usage: '--card <card.json> [--committed]',
    options: { card: 'file', committed: 'flag' },
    run: (session, { text, has }) => contribute(session, { card: text('card'), committed: has('committed') }),
  },
  'take-share': {
    usage: '--file <output-file.json>',
    options: { file: 'file' },
    run: (session, { text }) => takeShare(session, { file: text('file') }).then(() => NO_FILES),
  },
  follow: {
    usage: '--file <output-file.json>',
    options: { file: 'file' },
    run: (session, { text }) => follow(session, { file: text('file') }).then(() => NO_FILES),
  },
  discard: { usage: '', options: {}, run: (session) => discard(session).then(() => NO_FILES) },
  show: {
    usage: '',
    options: {},
    run: async (session) => {
      show(session);
      return NO_FILES;
    },
  },
};

/** The commands that only convert files. */
export const CONVERSIONS: Readonly<Record<string, Pick<MachineCommand, 'usage' | 'options'> & { run: (given: Given) => Files }>> =
  {
    frames: {
      usage: '--in <file>',
      options: { in: 'file' },
      run: ({ text }) => ({ 'frames.txt': `${framesOf(Buffer.from(text('in'), 'utf8')).join('\n')}\n` }),
    },
    join: {
      usage: '--in <frames.txt>',
      options: { in: 'file' },
      run: ({ text }) => ({ 'joined.json': joinFrames(text('in').split('\n')).toString('utf8') }),
    },
  };
