import { AppError } from '../../domain/errors';
import type { KeyStoreFacts } from '../../domain/key-stores';
import type { Reader } from '../../entities/database';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';

/** Throws `NotFound` unless the organisation has this offline store. The signer decides again by its own record. */
export async function offlineStoreOf(reader: Reader, storeId: string): Promise<KeyStoreFacts> {
  const store = (await keyStoresStore.list(reader)).find((one) => one.storeId === storeId);
  if (store?.kind !== 'OfflineSigner' || store.state === 'Removed')
    throw new AppError('NotFound', 'offline key store not found', { storeId });
  return store;
}
