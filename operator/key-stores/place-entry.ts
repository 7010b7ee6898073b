import { KEY_STORE_CODE, type SignedKeyStoreEntry } from '../../signer/wire/operator-api';
import { assertAdopted } from '../charters/signer-answer';
import { storeLines } from './entry-reading';

const DRAFT_AGAIN = 'Draft, read and sign again.';
/** The meaning of each refusal, and the remedy. */
const REFUSED: Readonly<Record<string, string>> = {
  CharterMalformed: 'The signer is of an earlier release, which has only the software store.',
  KeyStoreMalformed: 'The signer cannot read the file as an entry of its release: draft the entry with the same release.',
  KeyStoreNotSigned: 'The key in SIGNER_OPERATOR_KEY did not sign this text, or the signer was started without this variable.',
  KeyStoreOfAnotherSigner: 'The entry names another signer: draft the entry with the state folder of this signer.',
  KeyStoreNotNext: `The signer has recorded another entry of this organisation since the draft. ${DRAFT_AGAIN}`,
  KeyStoreUnknown:
    'The organisation has no store of this id, the store was removed, or the change is about reviewers of the software store, ' +
    'which has no ceremonies. See key-store list.',
  KeyStoreExists: 'The organisation has, or had, a store of this id. An id is never used twice.',
  KeyStoresTooMany: 'The organisation has the most stores that the signer keeps, including removed stores.',
  KeyStoreNotActive: 'The store makes no new keys any more, so it cannot be drained again and cannot be the primary store.',
  KeyStoreIsPrimary: 'The store is the primary store. First make another store the primary one.',
  KeyStoreHasKeys: 'The store has keys, which would become unusable. Drain the store instead: its keys stay usable.',
};

/**
 * Submits the signed entry to the signer of the folder. Throws an error that states the reason unless the signer records the
 * entry within `waitMs`.
 */
export async function placeEntry(
  { stateDir, orgId }: { readonly stateDir: string; readonly orgId: string },
  signed: SignedKeyStoreEntry,
  waitMs: number,
): Promise<readonly string[]> {
  const offer = () => KEY_STORE_CODE.offer(stateDir, signed, waitMs);
  await assertAdopted({ stateDir, what: 'entry', refused: REFUSED, offer });
  const known = (await KEY_STORE_CODE.recorded(stateDir)).get(orgId);
  return ['The signer has RECORDED the entry. The stores of the organisation are now:', ...storeLines(known?.stores)];
}
