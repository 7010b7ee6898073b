import { type KeyStoreKind, SOFTWARE_STORE_ID } from '../../domain/key-stores';
import type { KeyEntity } from '../../entities/keys/key.entity';

/** The kind of the store that holds the secret of the key. An organisation has one software store, whose id is fixed. */
export const storeKindOf = ({ storeId }: Pick<KeyEntity, 'storeId'>): KeyStoreKind =>
  storeId === SOFTWARE_STORE_ID ? 'Software' : 'OfflineSigner';
