import { holdingOf } from '../../application/keys/holders';
import { invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore } from '../../entities/keys/key.store';
import type { SecretBox } from '../../platform/secret-box';
import type { CreatedKey, SignerClient } from '../../signer/protocol';
import { evidenceOf } from '../signatures/order-evidence';

export type KeyRef = { readonly orgId: string; readonly keyId: string };

export type Makers = { readonly signer: Pick<SignerClient, 'createKey'>; readonly signedBodies: SecretBox };

/** A repeated call with the same key id returns the same key. */
export async function keyMadeBySigner(reader: Reader, { signer, signedBodies }: Makers, key: KeyEntity): Promise<CreatedKey> {
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
  return created;
}

export function assertIsKey({ sealed, dek, publicKeyHex }: CreatedKey, { orgId, keyId }: KeyRef): void {
  invariant(sealed.orgId === orgId && sealed.keyId === keyId && sealed.dekId === dek.dekId, 'the key is the one asked for');
  invariant(sealed.publicKeyHex === publicKeyHex, 'the sealed key is the one returned');
}
