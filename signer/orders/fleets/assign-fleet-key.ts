import type { KeyForm } from '../../../domain/keys';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyLog } from '../../record/key-log';
import type { KeyStores } from '../../record/key-stores';
import { refuseUnless } from '../../wire/refusal';
import type { AssignedFleetKey, AssignFleetKeyOrder } from './fleet-orders';
import { assertTakesKeys, offlineStore } from './offline-store';

type Parts = {
  readonly stores: Pick<KeyStores, 'find'>;
  readonly fleets: Fleets;
  readonly keyLog: Pick<KeyLog, 'find' | 'hasSecret'>;
};

/** The forms of keys with which a device signs. */
const isOfDevice = ({ scheme, curve }: KeyForm): boolean =>
  (scheme === 'ECDSA' && curve === 'secp256k1') || (scheme === 'EdDSA' && curve === 'ed25519');

/**
 * Throws a `Refusal` unless an approved ceremony recorded this key for the store. A key has one id for ever, and an id has one
 * key.
 */
export function createFleetKeyAssigner({ stores, fleets, keyLog }: Parts) {
  return async ({ requestId: _id, ...assigned }: AssignFleetKeyOrder): Promise<AssignedFleetKey> => {
    const { orgId, storeId, keyId, scheme, curve, publicKeyHex } = assigned;
    const store = offlineStore(stores, orgId, storeId);
    const known = fleets.key(keyId);
    if (known) {
      const isSameKey = known.scheme === scheme && known.curve === curve && known.publicKeyHex === publicKeyHex;
      refuseUnless(known.orgId === orgId && known.storeId === storeId && isSameKey, 'KeyIdReused');
      return {};
    }
    refuseUnless(keyLog.find(keyId) === undefined, 'KeyIdReused');
    refuseUnless(isOfDevice(assigned), 'NotForOfflineStore');
    assertTakesKeys(store);
    const pooled = curve === 'stark' ? undefined : fleets.pooled({ curve, publicKey: publicKeyHex });
    refuseUnless(pooled?.orgId === orgId && pooled.storeId === storeId, 'FleetKeyUnknown');
    refuseUnless(pooled.keyId === undefined && !keyLog.hasSecret(assigned), 'KeyExists');
    await fleets.recordAssigned({ orgId, storeId, keyId, scheme, curve, publicKeyHex });
    return {};
  };
}
