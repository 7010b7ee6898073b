import { findKeyForm, type KeyForm } from '../../domain/keys';
import type { CreatedKey, DekRow } from '../protocol';
import type { Origin } from '../record/key-entries';
import type { Held, KeyLog } from '../record/key-log';
import type { KeyStores } from '../record/key-stores';
import { schemeOf } from '../schemes/scheme';
import { refuseUnless } from '../wire/refusal';
import { createDek, openDek, sealKey } from './envelope';
import type { KekProvider } from './kek';

type NewKey = KeyForm & { readonly orgId: string; readonly keyId: string; readonly dek?: DekRow | undefined };

type Grounds = {
  readonly origin?: Origin | undefined;
  /**
   * Absent for a key of the organisation. `judge` throws a `Refusal` unless a signed action asked for a new key of this end user.
   */
  readonly holding?: { readonly userId: string; readonly judge: () => Held } | undefined;
};

/** Wipes the secret from `secretOf`. For a known key id, returns the existing key without a call of `secretOf` or `judge`. */
export type KeyMaker = (order: NewKey, secretOf: () => Promise<Buffer>, grounds?: Grounds) => Promise<CreatedKey>;

const sameOrigin = (a: Origin | undefined, b: Origin | undefined) => JSON.stringify(a) === JSON.stringify(b);

type Parts = {
  readonly kek: KekProvider;
  readonly keyLog: KeyLog;
  readonly stores: Pick<KeyStores, 'assertMakesKeys'>;
};

/** Creates keys one at a time per organisation. Two concurrent first orders would otherwise create two data keys. */
export function createKeyMaker({ kek, keyLog, stores }: Parts): KeyMaker {
  const make: KeyMaker = async (order, secretOf, { origin, holding } = {}) => {
    refuseUnless(findKeyForm(order) !== undefined, 'MalformedOrder');
    const { orgId, keyId, scheme, curve } = order;
    const known = keyLog.find(keyId);
    if (known) {
      const { sealed } = known;
      refuseUnless(sealed.orgId === orgId && sealed.scheme === scheme && sealed.curve === curve, 'KeyIdReused');
      refuseUnless(sameOrigin(keyLog.originOf(keyId), origin), 'KeyIdReused');
      refuseUnless(!holding || keyLog.holderOf(sealed)?.userId === holding.userId, 'KeyIdReused');
      return known;
    }
    const row = order.dek ?? keyLog.findDek(orgId) ?? (await createDek(kek, orgId));
    const dek = await openDek(kek, row, orgId);
    try {
      const secret = await secretOf();
      try {
        const publicKeyHex = schemeOf(order).publicKeyHexOf(secret);
        const place = { orgId, keyId, scheme, curve, publicKeyHex, dekId: row.dekId };
        // A key id, or a secret, of an offline store never gets a sealed form.
        refuseUnless(!keyLog.isOffline(place), 'KeyIdReused');
        // A random key never collides. An imported or derived secret may be stored already, and a key may have only one row.
        refuseUnless(origin === undefined || keyLog.keyWith(place) === undefined, 'KeyExists');
        const created = { publicKeyHex, sealed: sealKey(dek, place, secret), dek: row };
        // In the same step as the record, because the operator may drain the store while the key is made (S19).
        stores.assertMakesKeys(orgId);
        await keyLog.record(created, origin, holding?.judge());
        return created;
      } finally {
        secret.fill(0);
      }
    } finally {
      dek.fill(0);
    }
  };

  const tails = new Map<string, Promise<unknown>>();
  return (order, secretOf, grounds) => {
    const before = tails.get(order.orgId) ?? Promise.resolve();
    const made = before.then(() => make(order, secretOf, grounds));
    const tail = made.catch(() => undefined);
    tails.set(order.orgId, tail);
    void tail.then(() => tails.get(order.orgId) === tail && tails.delete(order.orgId));
    return made;
  };
}
