import type { KeyMaker } from '../keys/key-maker';
import { importInfo } from '../keys/key-shares';
import type { ShareKeys } from '../keys/share-keys';
import type { CreatedKey, ImportKeyOrder } from '../protocol';
import { schemeOf } from '../schemes/scheme';
import { refuseUnless } from '../wire/refusal';

/** The sender may still have a copy of the secret, so the journal records that the key was imported. */
export function createKeyImporter(shareKeys: ShareKeys, make: KeyMaker) {
  return (order: ImportKeyOrder): Promise<CreatedKey> =>
    make(
      order,
      async () => {
        const { orgId, curve, encryptedShare } = order;
        const info = importInfo({ orgId, curve, signerId: shareKeys.signerId });
        const secret = await shareKeys.openShare(info, Buffer.from(encryptedShare, 'base64'));
        try {
          refuseUnless(schemeOf(order).isSecret(secret), 'InvalidSecret');
          return secret;
        } catch (error) {
          secret.fill(0);
          throw error;
        }
      },
      { origin: { importedBy: order.requestId } },
    );
}
