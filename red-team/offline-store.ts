import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { offerKeyStoreEntry } from '../signer/charters/offer-charter';
import { keyStoreBytes, type SignedKeyStoreEntry } from '../signer/key-stores/key-store-change';

const OUTCOME_WITHIN_MS = 10_000;
type Place = { readonly orgId: string; readonly signerId: string };

/** The first entry of the organisation, which adds an offline store. */
export function storeEntry({ orgId, signerId }: Place, storeId: string, key: KeyObject): SignedKeyStoreEntry {
  const entry = JSON.stringify({
    ...{ v: 1, signerId, organizationId: orgId, n: 1, previous: null, dateIssued: new Date().toISOString() },
    change: { kind: 'Add', storeId, name: 'Vault', storeKind: 'OfflineSigner' },
  });
  return { entry, signature: sign(null, keyStoreBytes(entry), key).toString('base64') };
}

export const offerStore = async (stateDir: string, signed: SignedKeyStoreEntry): Promise<string> =>
  (await offerKeyStoreEntry(stateDir, signed, OUTCOME_WITHIN_MS)) ?? 'no reply';

/** An offline store without a fleet. The attacker can make the whole fleet, but no person asks for its ceremony. */
export async function openOfflineStore(
  place: Place & { readonly stateDir: string; readonly operatorKey: KeyObject },
): Promise<string> {
  const storeId = `ks-${randomUUID()}`;
  const outcome = await offerStore(place.stateDir, storeEntry(place, storeId, place.operatorKey));
  if (outcome !== 'Adopted') throw new Error(`the signer did not add the store: ${outcome}`);
  return storeId;
}
