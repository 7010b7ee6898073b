import { activateKey } from '../../application/keys/create-key';
import { invariant } from '../../domain/errors';
import type { SignerFacts } from '../../domain/key-stores';
import { keyStore } from '../../entities/keys/key.store';
import { carryOutKeyRequest, type KeyServices } from './key-requests';
import { type KeyRef, keyMadeBySigner } from './made-keys';

export function createKeyActivities(services: KeyServices) {
  const { db, signer } = services;
  return {
    /** A repeated run after a crash does not create a second key. */
    async makeKey({ orgId, keyId }: KeyRef): Promise<void> {
      const reader = db.read(orgId);
      const key = await keyStore.find(reader, keyId);
      invariant(key, `the key ${keyId} exists before its workflow starts`);
      if (key.status !== 'Creating') return;
      const created = await keyMadeBySigner(reader, services, key);
      await db.withOrg(orgId, (tx) => activateKey(tx, created));
    },

    /** A repeated run gets the same result (S5). */
    carryOutKeyRequest: ({ orgId, requestId }: { readonly orgId: string; readonly requestId: string }): Promise<void> =>
      carryOutKeyRequest(services, orgId, requestId),

    /** Neither value is secret; callers encrypt the shares of a key to `encryptionKey`. */
    async readSigner(): Promise<SignerFacts> {
      const { signerId, encryptionKey } = await signer.health();
      return { signerId, encryptionKey };
    },
  };
}

export type KeyActivities = ReturnType<typeof createKeyActivities>;
