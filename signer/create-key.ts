import { findKeyForm } from '../domain/keys';
import { createDek, openDek, sealKey } from './envelope';
import type { KeyJournal } from './journal';
import type { KekProvider } from './kek';
import type { CreatedKey, CreateKeyOrder } from './protocol';
import { refuseUnless } from './refusal';
import { schemeOf } from './schemes/scheme';

async function makeKey(order: CreateKeyOrder, kek: KekProvider, journal: KeyJournal): Promise<CreatedKey> {
  refuseUnless(findKeyForm(order) !== undefined, 'MalformedOrder');
  const known = journal.find(order.keyId);
  if (known) {
    const { orgId, scheme, curve } = known.sealed;
    refuseUnless(orgId === order.orgId && scheme === order.scheme && curve === order.curve, 'KeyIdReused');
    return known;
  }
  const row = order.dek ?? journal.findDek(order.orgId) ?? (await createDek(kek, order.orgId));
  const dek = await openDek(kek, row, order.orgId);
  const code = schemeOf(order);
  const secret = code.createSecret();
  try {
    const publicKeyHex = code.publicKeyHexOf(secret);
    const { orgId, keyId, scheme, curve } = order;
    const sealed = sealKey(dek, { orgId, keyId, scheme, curve, publicKeyHex, dekId: row.dekId }, secret);
    const created = { publicKeyHex, sealed, dek: row };
    await journal.record(created);
    return created;
  } finally {
    secret.fill(0);
    dek.fill(0);
  }
}

/** Makes keys, one at a time per organisation: two first keys at once would otherwise make two data keys. */
export function createKeyMaker(kek: KekProvider, journal: KeyJournal): (order: CreateKeyOrder) => Promise<CreatedKey> {
  const tails = new Map<string, Promise<unknown>>();
  return (order) => {
    const before = tails.get(order.orgId) ?? Promise.resolve();
    const made = before.then(() => makeKey(order, kek, journal));
    const tail = made.catch(() => undefined);
    tails.set(order.orgId, tail);
    void tail.then(() => tails.get(order.orgId) === tail && tails.delete(order.orgId));
    return made;
  };
}
