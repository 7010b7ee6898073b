import { AppError, invariant } from '../../domain/errors';
import type { KeyStoreFacts } from '../../domain/key-stores';
import type { Reader } from '../../entities/database';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { badField } from '../request-faults';
import { KEY_STORE_PROVIDERS, type KeyStoreAbility } from './providers';

/** The store of an existing key. */
export async function storeOfKey(reader: Reader, { id, storeId }: Pick<KeyEntity, 'id' | 'storeId'>): Promise<KeyStoreFacts> {
  const store = (await keyStoresStore.list(reader)).find((one) => one.storeId === storeId);
  invariant(store, `the store of ${id} is known`);
  return store;
}

/** Throws `InvalidRequest` unless the store of the key has the ability; the message names the stores that have it. */
export async function assertStoreDoes(
  reader: Reader,
  key: Pick<KeyEntity, 'id' | 'storeId'>,
  ability: KeyStoreAbility,
): Promise<void> {
  const { kind, storeId } = await storeOfKey(reader, key);
  const why = KEY_STORE_PROVIDERS[kind].lacks[ability];
  if (why === null) return;
  const able = (await keyStoresStore.list(reader)).filter(
    (one) => one.state !== 'Removed' && KEY_STORE_PROVIDERS[one.kind].lacks[ability] === null,
  );
  const stores = able.map((one) => one.storeId).join(', ') || 'none';
  throw new AppError(
    'InvalidRequest',
    `not possible for a key of the key store ${storeId}: ${why}. Key stores that can: ${stores}`,
    { keyId: key.id, storeId },
  );
}

/** Throws `InvalidRequest` unless the organisation has a store that takes imported keys. */
export async function assertStoreImports(reader: Reader): Promise<void> {
  const stores = await keyStoresStore.list(reader);
  const imports = ({ kind, state }: KeyStoreFacts) => state === 'Active' && KEY_STORE_PROVIDERS[kind].lacks.Import === null;
  if (!stores.some(imports))
    throw badField('protocol', 'is not possible: no key store of the organisation imports keys any more');
}
