import { activateKey } from '../../application/keys/create-key';
import { invariant } from '../../domain/errors';
import type { SignerFacts } from '../../domain/key-stores';
import { keyStore } from '../../entities/keys/key.store';
import { carryOutKeyRequest, type KeyServices } from './key-requests';
import { type KeyRef, keyMadeBySigner } from './made-keys';

/** Activities of the `signer` queue that make, import, export and derive keys. */
export function createKeyActivities(services: KeyServices) {
  const { db, signer } = services;
  return {
    /**
     * Creates a key in the signer and activates its row. If a crash comes between the signer's reply and the commit, a repeated
     * run creates no second key. Throws the signer's errors.
     */
    async makeKey({ orgId, keyId }: KeyRef): Promise<void> {
      const reader = db.read(orgId);
      const key = await keyStore.find(reader, keyId);
      invariant(key, `the key ${keyId} exists before its workflow starts`);
      if (key.status !== 'Creating') return;
      const created = await keyMadeBySigner(reader, signer, key);
      await db.withOrg(orgId, (tx) => activateKey(tx, created));
    },

    /** Sends the order of a key request to the signer and stores the result. A repeated run gets the same result (S5). */
    carryOutKeyRequest: ({ orgId, requestId }: { readonly orgId: string; readonly requestId: string }): Promise<void> =>
      carryOutKeyRequest(services, orgId, requestId),

    /** Returns the signer's id, and the public key to which callers encrypt the shares of a key. Neither value is secret. */
    async readSigner(): Promise<SignerFacts> {
      const { signerId, encryptionKey } = await signer.health();
      return { signerId, encryptionKey };
    },
  };
}

export type KeyActivities = ReturnType<typeof createKeyActivities>;
