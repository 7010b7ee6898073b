import { AppError } from '../../domain/errors';
import type { FleetCurve } from '../../domain/fleets';
import { type KeyStoreKind, SOFTWARE_STORE_ID } from '../../domain/key-stores';
import type { Tx } from '../../entities/database';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { KeyEntity } from '../../entities/keys/key.entity';
import type { NewKey } from '../../entities/keys/key-record.store';
import { badField } from '../request-faults';

/** The kind of the store that holds the secret of the key. An organisation has one software store, whose id is fixed. */
export const storeKindOf = ({ storeId }: Pick<KeyEntity, 'storeId'>): KeyStoreKind =>
  storeId === SOFTWARE_STORE_ID ? 'Software' : 'OfflineSigner';

type Planned = Pick<NewKey, 'id' | 'storeId' | 'curve' | 'delegatedTo' | 'isMaster' | 'derivedFrom' | 'mayBeDelegated'>;

/** Throws `InvalidRequest` for a member that no key of an offline store can have. */
export function assertOfflineMembers(key: Planned, below: '' | 'signingKey.'): void {
  const why = 'is not possible in an offline key store';
  if (key.isMaster) throw badField('masterKey', why);
  if (key.derivedFrom !== null) throw badField(`${below}deriveFrom`, why);
  if (key.mayBeDelegated) throw badField('delayDelegation', why);
  if (key.delegatedTo !== null) throw badField('delegateTo', `${why}: an end user cannot sign with a device of the organisation`);
}

const TAKE: Readonly<Record<KeyStoreKind, (tx: Tx, key: Planned) => Promise<void>>> = {
  Software: async () => undefined,
  /** The key is taken from the pool in the transaction of its row. The signer binds the key before it becomes active. */
  OfflineSigner: async (tx, { id, storeId, curve }) => {
    if (curve !== 'secp256k1' && curve !== 'ed25519')
      throw badField('curve', 'must be secp256k1 or ed25519 in an offline key store');
    const wanted: FleetCurve = curve;
    if (await fleetKeyStore.take(tx, storeId, wanted, id)) return;
    const message = `The key store has no free key on ${curve} left: harvest keys on a device, and have the group approved`;
    throw new AppError('Conflict', message, { storeId, curve });
  },
};

/** Throws `Conflict` if the store has no free key. */
export const takeKey = (tx: Tx, key: Planned): Promise<void> => TAKE[storeKindOf(key)](tx, key);

/** Throws `WrongState` for a key whose secret never leaves its devices. */
export function assertLeaves(key: Pick<KeyEntity, 'id' | 'storeId'>): void {
  if (storeKindOf(key) === 'Software') return;
  const { id: keyId, storeId } = key;
  throw new AppError('WrongState', 'The secret of the key lies in an offline key store and is never exported', {
    keyId,
    storeId,
  });
}
