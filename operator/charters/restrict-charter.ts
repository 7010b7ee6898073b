import { readFile, stat } from 'node:fs/promises';
import { RESTRICTION_FILE_BYTES_MAX, readRestriction, readSignedRestriction } from '../../signer/charters/restriction';
import { CHARTER_CODE } from '../../signer/wire/operator-api';
import { restrictionLines } from './restriction-reading';
import { assertAdopted } from './signer-answer';

const SIGN_AGAIN =
  'Let the member sign again with strongroom-verify restrict --in-force and the digest that authority:status prints.';
const REFUSED: Readonly<Record<string, string>> = {
  CharterMalformed: 'The signer is of an earlier release, which knows no restrictions.',
  CharterOfAnotherSigner: 'The restriction is of a charter of another signer.',
  CharterNotNext: `The charter in force is not the one that this restriction names, because it was replaced since. ${SIGN_AGAIN}`,
  NotInCharter:
    'The organisation has no charter, or its charter lacks the member who signed or an entry that the restriction removes.',
  NotPermitted: 'This key may remove only credentials of its own member. Let a member sign who may remove other members.',
  AssertionInvalid: 'The signature over this text is not from a key that the charter lists for this member.',
};

async function readFileOf(path: string) {
  const { size } = await stat(path);
  const signed = size <= RESTRICTION_FILE_BYTES_MAX ? readSignedRestriction(await readFile(path)) : undefined;
  const restriction = signed && readRestriction(signed.restriction);
  if (!restriction) throw new Error(`${path} does not hold a restriction that strongroom-verify has signed`);
  return { signed, restriction };
}

/**
 * Submits the restriction to the signer of the folder. Throws an error with the content of the file and the reason unless the
 * signer adopts the restriction within `waitMs`.
 */
export async function restrictCharter(stateDir: string, path: string, waitMs: number): Promise<readonly string[]> {
  const { signed, restriction } = await readFileOf(path);
  const reading = restrictionLines(signed.restriction, restriction);
  const offer = () => CHARTER_CODE.offerRestriction(stateDir, signed, waitMs);
  try {
    await assertAdopted({ stateDir, what: 'restriction', refused: REFUSED, offer });
  } catch (error) {
    throw new Error([...reading, '', (error as Error).message].join('\n'));
  }
  return [
    ...reading,
    '',
    'The signer has ADOPTED the restriction. The charter without the removed entries is in force.',
    'Remove the entries in the service too: the next draft follows the database and would restore them (see authority:status --org).',
  ];
}
