import { holdingOf } from '../../application/keys/holders';
import { storeKindOf } from '../../application/keys/store-kind';
import { invariant } from '../../domain/errors';
import type { KeyStoreKind } from '../../domain/key-stores';
import type { Reader } from '../../entities/database';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore, type MadeKey } from '../../entities/keys/key.store';
import type { SecretBox } from '../../platform/secret-box';
import type { CreatedKey, SignerClient } from '../../signer/protocol';
import { evidenceOf } from '../signatures/order-evidence';

export type KeyRef = { readonly orgId: string; readonly keyId: string };

export type Makers = { readonly signer: Pick<SignerClient, 'createKey' | 'assignFleetKey'>; readonly signedBodies: SecretBox };

const MAKE: Readonly<Record<KeyStoreKind, (reader: Reader, makers: Makers, key: KeyEntity) => Promise<MadeKey>>> = {
  async Software(reader, { signer, signedBodies }, key) {
    const { orgId, id: keyId, scheme, curve, derivedFrom, derivationPath } = key;
    const dek = await keyStore.presentDataKey(reader);
    const master =
      derivedFrom === null || derivationPath === null
        ? undefined
        : { keyId: derivedFrom, path: derivationPath, ...(await keyStore.material(reader, derivedFrom)) };
    const holding = await holdingOf(reader, key);
    const held = holding && {
      ...holding.holder,
      evidence: await evidenceOf(reader, signedBodies, { userActionId: holding.userActionId, approvalId: null }),
    };
    const form = { orgId, keyId, scheme, curve, ...(dek ? { dek } : {}) };
    const order = { ...form, ...(master ? { parent: master } : {}), ...(held ? { holder: held } : {}) };
    const created = await signer.createKey(order);
    assertIsKey(created, { orgId, keyId });
    return { keyId, publicKeyHex: created.publicKeyHex, secret: created };
  },

  /** The signer accepts the assignment only of a key that an approved group has recorded. */
  async OfflineSigner(reader, { signer }, { orgId, id: keyId, storeId, scheme, curve }) {
    const taken = await fleetKeyStore.ofKey(reader, keyId);
    invariant(taken?.storeId === storeId && taken.curve === curve, `${keyId} was taken from the pool of its store`);
    const { publicKey: publicKeyHex } = taken;
    await signer.assignFleetKey({ requestId: keyId, orgId, storeId, keyId, scheme, curve, publicKeyHex });
    return { keyId, publicKeyHex, secret: null };
  },
};

/** A repeated call with the same key id returns the same key. */
export const keyMadeBySigner = (reader: Reader, makers: Makers, key: KeyEntity): Promise<MadeKey> =>
  MAKE[storeKindOf(key)](reader, makers, key);

export function assertIsKey({ sealed, dek, publicKeyHex }: CreatedKey, { orgId, keyId }: KeyRef): void {
  invariant(sealed.orgId === orgId && sealed.keyId === keyId && sealed.dekId === dek.dekId, 'the key is the one asked for');
  invariant(sealed.publicKeyHex === publicKeyHex, 'the sealed key is the one returned');
}
