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
  CharterNotNext: `The charter in force is not the one of this restriction: it has changed since. ${SIGN_AGAIN}`,
  NotInCharter:
    'The organisation has no charter, or its charter names neither the member who signed nor all that would be removed.',
  NotPermitted: 'The key of the member may remove only credentials of the member. Let a member who may remove others sign.',
  AssertionInvalid: 'No key of this member in the charter has made this signature over this text.',
};

async function readFileOf(path: string) {
  const { size } = await stat(path);
  const signed = size <= RESTRICTION_FILE_BYTES_MAX ? readSignedRestriction(await readFile(path)) : undefined;
  const restriction = signed && readRestriction(signed.restriction);
  if (!restriction) throw new Error(`${path} does not hold a restriction that strongroom-verify has signed`);
  return { signed, restriction };
}

/**
 * Offers the restriction to the signer of the folder. Throws, with what the file says and the reason, unless the signer adopts the
 * restriction within the time.
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
    'The signer has ADOPTED the restriction. The charter without what it removes is in force.',
    'Remove the same in the service too: a draft follows the database, and would put it back (authority:status --org shows that).',
  ];
}
