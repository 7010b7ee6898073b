import { shortDigest } from '../platform/fleets/statement';
import { refuseUnlessAllowed } from './refused';
import type { Screen } from './screen';

const squeezed = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();

/**
 * A person types a fingerprint from paper. The program does not show the fingerprint first, because people agree too easily to
 * what they see. Throws `Refused` for anything else.
 */
export async function assertTyped({ ask }: Screen, what: string, digest: string): Promise<void> {
  const typed = await ask(`Type the fingerprint of ${what} from paper: `);
  refuseUnlessAllowed(
    squeezed(typed) === squeezed(shortDigest(digest)),
    `This is not the fingerprint of ${what}. Stop, and find out why.`,
  );
}

/** Throws `Refused` unless the person agrees. */
export async function assertAgreed({ confirm }: Screen, question: string): Promise<void> {
  refuseUnlessAllowed(await confirm(question), 'The operator did not agree. Nothing was done.');
}
