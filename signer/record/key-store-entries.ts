import { type KeyStoreFacts, SOFTWARE_STORE } from '../../domain/key-stores';
import type { KeyStoreChange } from '../key-stores/key-store-change';
import type { Index } from './journal/index-store';

/** `entry` is the exact text that the operator signed. `dateRecorded` is by the signer's clock. */
export type KeyStoreChangedEntry = {
  readonly kind: 'KeyStoreChanged';
  readonly orgId: string;
  readonly n: number;
  readonly digest: string;
  readonly dateRecorded: string;
  readonly entry: string;
  readonly signature: string;
};

export type KeyStoresHead = { readonly n: number; readonly digest: string };
/** The last entry of the organisation, and its stores after the entry. */
export type KeyStoresOnRecord = KeyStoresHead & { readonly stores: readonly KeyStoreFacts[] };

export const keyStoresName = (orgId: string) => `key-stores/${orgId}`;
/** The ids of the organisations with such an entry. */
export const WITH_KEY_STORES = 'with-key-stores';
/** True for a store whose keys an entry of the journal names. A software key needs no such name. */
export const storeKeysName = (orgId: string, storeId: string) => `store-keys/${orgId}/${storeId}`;

type Stores = readonly KeyStoreFacts[];
const replaced = (stores: Stores, storeId: string, facts: Partial<KeyStoreFacts>): Stores =>
  stores.map((store) => (store.storeId === storeId ? { ...store, ...facts } : store));

/** The stores after the change, which the caller must have judged. The same arguments always give the same result. */
const CHANGED: {
  readonly [K in KeyStoreChange['kind']]: (stores: Stores, change: Extract<KeyStoreChange, { kind: K }>) => Stores;
} = {
  Add: (stores, { storeId, storeKind, name, reviewers }) => [
    ...stores,
    { storeId, kind: storeKind, name, state: 'Active', isPrimary: false, ...(reviewers === undefined ? {} : { reviewers }) },
  ],
  Name: (stores, { storeId, name }) => replaced(stores, storeId, { name }),
  SetReviewers: (stores, { storeId, reviewers }) => replaced(stores, storeId, { reviewers }),
  MakePrimary: (stores, { storeId }) => stores.map((store) => ({ ...store, isPrimary: store.storeId === storeId })),
  Drain: (stores, { storeId }) => replaced(stores, storeId, { state: 'Draining' }),
  Remove: (stores, { storeId }) => replaced(stores, storeId, { state: 'Removed' }),
};
const changed = <K extends KeyStoreChange['kind']>(stores: Stores, change: Extract<KeyStoreChange, { kind: K }>) =>
  CHANGED[change.kind as K](stores, change);

export const storesOnRecord = (index: Pick<Index, 'get'>, orgId: string): KeyStoresOnRecord | undefined =>
  index.get<KeyStoresOnRecord>(keyStoresName(orgId));

export const storesOf = (index: Pick<Index, 'get'>, orgId: string): Stores =>
  storesOnRecord(index, orgId)?.stores ?? [SOFTWARE_STORE];

export function applyKeyStoreChanged(index: Pick<Index, 'get' | 'put'>, { orgId, n, digest, entry }: KeyStoreChangedEntry): void {
  const known = index.get<readonly string[]>(WITH_KEY_STORES) ?? [];
  if (!known.includes(orgId)) index.put(WITH_KEY_STORES, [...known, orgId].sort());
  const { change } = JSON.parse(entry) as { readonly change: KeyStoreChange };
  const stores = changed(storesOf(index, orgId), change);
  index.put(keyStoresName(orgId), { n, digest, stores } satisfies KeyStoresOnRecord);
}
