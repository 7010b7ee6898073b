import { SOFTWARE_STORE, STORE_REVIEWERS_MAX } from '../../domain/key-stores';
import { KEY_STORE_CODE, type KeyStoreChange, type KeyStoreEntry, signerIdOf } from '../../signer/wire/operator-api';
import type { Stores } from './entry-reading';

type Drafted = { readonly text: string; readonly entry: KeyStoreEntry; readonly stores: Stores };

/** The next entry of the organisation by the signer's journal, and the stores before the entry. */
export async function draftEntry(stateDir: string, orgId: string, change: KeyStoreChange, now: Date): Promise<Drafted> {
  const signerId = signerIdOf(stateDir);
  if (signerId === undefined) throw new Error(`${stateDir} has no share-keys.json of a signer`);
  const known = (await KEY_STORE_CODE.recorded(stateDir)).get(orgId);
  const text = JSON.stringify({
    v: 1,
    signerId,
    organizationId: orgId,
    n: (known?.n ?? 0) + 1,
    previous: known?.digest ?? null,
    dateIssued: now.toISOString(),
    change,
  } satisfies KeyStoreEntry);
  const entry = KEY_STORE_CODE.read(text);
  if (!entry)
    throw new Error(
      'The signer would not read this entry: a name has 1 to 64 visible characters, with single spaces between words, and a ' +
        `ceremony has 1 to ${STORE_REVIEWERS_MAX} reviewers.`,
    );
  return { text, entry, stores: known?.stores ?? [SOFTWARE_STORE] };
}
