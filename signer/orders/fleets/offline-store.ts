import type { KeyStoreFacts } from '../../../domain/key-stores';
import type { KeyStores } from '../../record/key-stores';
import { Refusal, refuseUnless } from '../../wire/refusal';

/** Throws the `Refusal` `KeyStoreUnknown` unless the operator's entries contain this offline store. */
export function offlineStore(stores: Pick<KeyStores, 'find'>, orgId: string, storeId: string): KeyStoreFacts {
  const store = stores.find(orgId, storeId);
  if (store?.kind !== 'OfflineSigner' || store.state === 'Removed') throw new Refusal('KeyStoreUnknown');
  return store;
}

/** A draining store gets no new keys. */
export const assertTakesKeys = ({ state }: KeyStoreFacts): void => refuseUnless(state === 'Active', 'KeyStoreNotActive');
