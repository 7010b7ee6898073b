import { CHARTER_CODE } from '../../signer/wire/operator-api';
import { readSigned } from './charter-file';
import { headLines } from './charter-reading';
import { assertAdopted } from './signer-answer';

/** The meaning of each refusal, and the remedy. */
const REFUSED: Readonly<Record<string, string>> = {
  CharterMalformed: 'The signer cannot read the file as a charter of its release: draft the charter with the same release.',
  CharterNotSigned: 'The key in SIGNER_OPERATOR_KEY did not sign this text, or the signer was started without this variable.',
  CharterOfAnotherSigner: 'The charter names another signer: draft the charter with the state folder of this signer.',
  CharterNotNext:
    'The charter does not follow the charter in force: the signer has adopted another charter since the draft. Draft, compare and sign again.',
};

/**
 * Submits the signed charter to the signer of the folder. Throws an error that states the reason unless the signer adopts the
 * charter within `waitMs`.
 */
export async function adoptCharter(stateDir: string, path: string, waitMs: number): Promise<readonly string[]> {
  const { signed, text, charter } = await readSigned(path);
  const offer = () => CHARTER_CODE.offer(stateDir, signed, waitMs);
  await assertAdopted({ stateDir, what: 'charter', refused: REFUSED, offer });
  return ['The signer has ADOPTED the charter. It is in force.', ...headLines(text, charter)];
}
