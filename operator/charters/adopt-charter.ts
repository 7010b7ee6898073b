import { existsSync } from 'node:fs';
import { CHARTER_CODE } from '../../signer/wire/operator-api';
import { readSigned } from './charter-file';
import { headLines } from './charter-reading';

const ADOPTED = 'Adopted';

/** What the signer's refusals mean, and what to do. */
const REFUSED: Readonly<Record<string, string>> = {
  CharterMalformed: 'The signer cannot read the file as a charter of its release: draft the charter with the same release.',
  CharterNotSigned:
    'The signature is not one over this text by the key in SIGNER_OPERATOR_KEY, or the signer was started without this variable.',
  CharterOfAnotherSigner: 'The charter names another signer: draft it beside the state folder of this signer.',
  CharterNotNext:
    'The charter does not follow the charter in force: another one was adopted since the draft. Draft, compare and sign again.',
};

/**
 * Offers the signed charter to the signer of the folder. Throws, with the reason in words, unless the signer adopts the charter
 * within the time.
 */
export async function adoptCharter(stateDir: string, path: string, waitMs: number): Promise<readonly string[]> {
  const { signed, text, charter } = await readSigned(path);
  if (!existsSync(stateDir))
    throw new Error(`${stateDir} is not there: SIGNER_STATE_DIR must be the state folder of the signer.`);
  const outcome = await CHARTER_CODE.offer(stateDir, signed, waitMs);
  if (outcome === ADOPTED) return ['The signer has ADOPTED the charter. It is in force.', ...headLines(text, charter)];
  if (outcome === undefined)
    throw new Error(
      `No signer of ${stateDir} has answered. The charter lies there, and the signer takes it at its next start: see authority:status then.`,
    );
  throw new Error(`The signer REFUSES the charter (${outcome}). ${REFUSED[outcome] ?? ''}`.trim());
}
