import { type KeyStoreFacts, type KeyStoreKind, SOFTWARE_STORE_ID } from '../../domain/key-stores';
import { refuseUnless } from '../wire/refusal';
import type { Index } from './journal/index-store';
import type { Journal } from './journal/journal';
import { presentDekName } from './key-entries';
import { type KeyStoresHead, storeKeysName, storesOf, storesOnRecord } from './key-store-entries';

export interface KeyStores {
  /** All stores of the organisation in the order of their addition, including removed stores. */
  list(orgId: string): readonly KeyStoreFacts[];
  find(orgId: string, storeId: string): KeyStoreFacts | undefined;
  /** The store of new keys for which the caller names no store. */
  primaryOf(orgId: string): KeyStoreFacts;
  /** The last entry of the operator. Undefined if the organisation has only the software store of the beginning. */
  headOf(orgId: string): KeyStoresHead | undefined;
  /** Whether the journal has a key of this store. */
  hasKeys(orgId: string, store: Pick<KeyStoreFacts, 'storeId' | 'kind'>): boolean;
  /** Throws the `Refusal` `KeyStoreNotActive` unless the software store makes new keys. */
  assertMakesKeys(orgId: string): void;
}

/** A software key never leaves the journal, and each one was sealed by a data key of the organisation. */
const HAS_KEYS: Readonly<Record<KeyStoreKind, (index: Pick<Index, 'get'>, orgId: string, storeId: string) => boolean>> = {
  Software: (index, orgId) => index.get(presentDekName(orgId)) !== undefined,
  OfflineSigner: (index, orgId, storeId) => index.get(storeKeysName(orgId, storeId)) !== undefined,
};

/** The organisation's stores by the journal. No row of the service can open, close or choose a store. */
export function createKeyStores({ index }: Pick<Journal, 'index'>): KeyStores {
  const find = (orgId: string, storeId: string) => storesOf(index, orgId).find((store) => store.storeId === storeId);
  return {
    list: (orgId) => storesOf(index, orgId),
    find,
    primaryOf(orgId) {
      const primary = storesOf(index, orgId).find(({ isPrimary }) => isPrimary);
      if (!primary) throw new Error(`${orgId} has no primary key store`);
      return primary;
    },
    headOf(orgId) {
      const found = storesOnRecord(index, orgId);
      return found && { n: found.n, digest: found.digest };
    },
    hasKeys: (orgId, { kind, storeId }) => HAS_KEYS[kind](index, orgId, storeId),
    assertMakesKeys: (orgId) => refuseUnless(find(orgId, SOFTWARE_STORE_ID)?.state === 'Active', 'KeyStoreNotActive'),
  };
}
