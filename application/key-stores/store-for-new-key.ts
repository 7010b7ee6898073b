import type { KeyStoreFacts } from '../../domain/key-stores';
import type { KeyForm } from '../../domain/keys';
import type { Reader } from '../../entities/database';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';
import { badField } from '../request-faults';
import { KEY_STORE_PROVIDERS, type KeyStoreAbility, type KeyStoreProvider } from './providers';

export type WantedKey = {
  readonly form: KeyForm;
  readonly storeId: string | undefined;
  /** The store of the master key from which the key is derived. */
  readonly masterStoreId: string | undefined;
  /** The abilities that the request needs, each with the member of the body that needs it. */
  readonly needs: readonly { readonly ability: KeyStoreAbility; readonly field: string }[];
};
type Below = '' | 'signingKey.';
type Lack = { readonly field: string; readonly why: string };

const idsOf = (stores: readonly KeyStoreFacts[]): string => stores.map(({ storeId }) => storeId).join(', ') || 'none';

function lackIn({ forms, lacks }: KeyStoreProvider, { form, needs }: WantedKey, below: Below): Lack | undefined {
  const makesForm = forms.some(({ scheme, curve }) => scheme === form.scheme && curve === form.curve);
  if (!makesForm) return { field: `${below}curve`, why: `it makes no keys for ${form.scheme} on ${form.curve}` };
  for (const { ability, field } of needs) {
    const why = lacks[ability];
    if (why !== null) return { field, why };
  }
  return undefined;
}

/**
 * The store of a new key: the store that the request names, the store of the master key, or the primary store. The result never
 * differs from these, so that no key gets a weaker store than expected (S19). Throws `InvalidRequest` for a store that makes no
 * keys, and for a request that the store cannot carry out; the message names the stores that can.
 */
export async function storeForNewKey(reader: Reader, wanted: WantedKey, below: Below): Promise<KeyStoreFacts> {
  const { storeId, masterStoreId } = wanted;
  const stores = await keyStoresStore.list(reader);
  const active = stores.filter(({ state }) => state === 'Active');
  const store = stores.find((one) =>
    (storeId ?? masterStoreId) === undefined ? one.isPrimary : one.storeId === (storeId ?? masterStoreId),
  );
  const field = storeId === undefined && masterStoreId !== undefined ? `${below}deriveFrom.keyId` : `${below}storeId`;
  if (store === undefined || store.state === 'Removed')
    throw badField(field, `must be the id of a key store that makes keys: ${idsOf(active)}`);
  if (store.state !== 'Active')
    throw badField(
      field,
      `is not possible: the key store ${store.storeId} makes no new keys. Key stores that make keys: ${idsOf(active)}`,
    );
  if (masterStoreId !== undefined && store.storeId !== masterStoreId)
    throw badField(field, `must be ${masterStoreId}, the key store of the master key`);
  const lack = lackIn(KEY_STORE_PROVIDERS[store.kind], wanted, below);
  if (lack) {
    const able = active.filter(({ kind }) => lackIn(KEY_STORE_PROVIDERS[kind], wanted, below) === undefined);
    throw badField(
      lack.field,
      `is not possible in the key store ${store.storeId}: ${lack.why}. Key stores that can: ${idsOf(able)}`,
    );
  }
  return store;
}
