import { sha256Hex } from '../platform/digests';
import { shortDigest } from '../platform/fleets/statement';
import { labelled } from './ceremonies/input-words';
import { printable } from './printable';
import type { Screen } from './screen';
import type { Files } from './session';

/** A screen that writes down what was said, asked and answered. Secrets are not written down. */
export function recordingScreen(screen: Screen): { readonly screen: Screen; readonly lines: readonly string[] } {
  const lines: string[] = [];
  return {
    lines,
    screen: {
      say(said) {
        lines.push(...said);
        screen.say(said);
      },
      async confirm(question) {
        const agreed = await screen.confirm(question);
        lines.push(`${question} ${agreed ? 'YES' : 'NO'}`);
        return agreed;
      },
      async ask(question) {
        const typed = await screen.ask(question);
        lines.push(`${question}${printable(typed)}`);
        return typed;
      },
      async askSecret(question) {
        const typed = await screen.askSecret(question);
        lines.push(`${question}(${typed.length} characters, not recorded)`);
        return typed;
      },
    },
  };
}

type Recorded = {
  readonly command: string;
  readonly date: Date;
  readonly lines: readonly string[];
  readonly files: Files;
  readonly outcome: string;
};

/** The record of one run, which people print and sign by hand. */
export const recordText = ({ command, date, lines, files, outcome }: Recorded): string =>
  [
    `STRONGROOM OFFLINE SIGNER: ${command}`,
    labelled('Date', `${date.toISOString()} by the clock of this machine`),
    '',
    ...lines,
    '',
    ...Object.entries(files).map(([name, text]) => labelled('File', `${name}, SHA-256 ${shortDigest(sha256Hex(text))}`)),
    labelled('Outcome', outcome),
    '',
    'Present (name, role, signature):',
    ...Array.from({ length: 4 }, () => '______________________________________________________________'),
    '',
  ].join('\n');
