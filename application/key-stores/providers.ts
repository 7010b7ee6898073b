import { AppError, invariant } from '../../domain/errors';
import type { KeyStoreKind } from '../../domain/key-stores';
import { KEY_FORMS, type KeyForm } from '../../domain/keys';
import { absent, type Slot } from '../../domain/slots';
import type { Tx } from '../../entities/database';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { NewKey } from '../../entities/keys/key-record.store';

/** What a store can do beyond making keys and signing with them. */
export type KeyStoreAbility = 'Master' | 'Derive' | 'Import' | 'Export' | 'SharedSecret' | 'Delegate';

/**
 * Reserves a free key that the store has made before, in the transaction that inserts the row of the new key. The key becomes
 * active when the signer has recorded the reservation. Throws `WrongState` if the store has no free key of this form.
 */
export type TakeKey = (tx: Tx, key: NewKey) => Promise<void>;

export type KeyStoreProvider = {
  /** The forms of the keys that the store makes. */
  readonly forms: readonly KeyForm[];
  /** Why the store lacks the ability; null if the store has it. */
  readonly lacks: Readonly<Record<KeyStoreAbility, string | null>>;
  readonly takeKey: Slot<TakeKey>;
};

const NEVER_LEAVES = 'its secrets never leave its devices';
const NO_REQUESTS = 'its devices have no network and only sign what they are handed';

/** A new kind of store gets a line here before the service compiles. */
export const KEY_STORE_PROVIDERS: Readonly<Record<KeyStoreKind, KeyStoreProvider>> = {
  Software: {
    forms: KEY_FORMS,
    lacks: { Master: null, Derive: null, Import: null, Export: null, SharedSecret: null, Delegate: null },
    takeKey: absent('the signer makes each key when a caller asks for it'),
  },
  OfflineSigner: {
    forms: [
      { scheme: 'ECDSA', curve: 'secp256k1' },
      { scheme: 'EdDSA', curve: 'ed25519' },
    ],
    lacks: {
      Master: NO_REQUESTS,
      Derive: NO_REQUESTS,
      Import: 'its devices make every key themselves',
      Export: NEVER_LEAVES,
      SharedSecret: NO_REQUESTS,
      Delegate: 'only the people who carry its archives can use its keys',
    },
    takeKey: async (tx, { id, storeId, scheme, curve }) => {
      invariant(curve !== 'stark', 'the store makes no keys on this curve');
      if (await fleetKeyStore.take(tx, storeId, curve, id)) return;
      throw new AppError(
        'WrongState',
        `the key store ${storeId} has no free key for ${scheme} on ${curve}: create keys with a KeyHarvest group, then repeat the request`,
        { storeId },
      );
    },
  },
};
