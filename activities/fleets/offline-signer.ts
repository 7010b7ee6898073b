import { AppError, invariant } from '../../domain/errors';
import type { Database } from '../../entities/database';
import type { OfflineRequestEntity } from '../../entities/fleets/offline-request.entity';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import { blockerStore } from '../../entities/outgoing/blocker.store';
import { digestOf } from '../../platform/canonical';
import type { SignerClient } from '../../signer/protocol';
import type { OfflineOrder, OfflineSigning } from './order-signer';

/** The request waits until a device has signed it. */
export class AtDevice extends Error {
  constructor(requestId: string) {
    super(`${requestId} waits for an offline device`);
  }
}

/** The digest of what the key signs: the bytes of a transaction, or the payload of a signature request. */
export const contentDigestOf = ({ order }: OfflineOrder): string =>
  digestOf('bytesHex' in order ? { bytesHex: order.bytesHex } : { payload: order.payload as never });

/**
 * Returns the signatures that a device has made for the request. Without signatures, records that the request waits, and throws
 * `AtDevice`. A request with other content than the recorded content stops, because the device may have signed the recorded
 * content.
 */
export function offlineSigner(db: Database, signer: Pick<SignerClient, 'recordSignatures'>): OfflineSigning {
  return async (asked, { keyId, storeId }) => {
    const { op, order } = asked;
    const { orgId, requestId } = order;
    const contentDigest = contentDigestOf(asked);
    const known = await offlineRequestStore.find(db.read(orgId), requestId);
    if (known) assertSame(known, { op, keyId, storeId, contentDigest });
    if (known?.signatures) {
      // Without this record, the signer would not know the signatures when a block contains them.
      await signer.recordSignatures({ requestId, orgId, keyId, ...madeOf(known) });
      return signaturesOf(asked, known);
    }
    await db.withOrg(orgId, async (tx) => {
      await offlineRequestStore.wait(tx, { requestId, op, keyId, storeId, contentDigest });
      // An obstacle of an earlier attempt no longer holds the request back.
      await blockerStore.clear(tx, requestId);
    });
    throw new AtDevice(requestId);
  };
}

function madeOf({ messages, signatures }: OfflineRequestEntity) {
  invariant(messages && signatures, 'a signed request has its messages');
  return { messages: [...messages], signatures: signatures.map(({ r, s }) => ({ r, s })) };
}

type Compared = Pick<OfflineRequestEntity, 'op' | 'keyId' | 'storeId' | 'contentDigest'>;

export function assertSame(known: OfflineRequestEntity, now: Compared): void {
  const isSame =
    known.op === now.op &&
    known.keyId === now.keyId &&
    known.storeId === now.storeId &&
    known.contentDigest === now.contentDigest;
  if (!isSame) throw new AppError('Internal', `the content of ${known.requestId} differs from the content for the device`);
}

function signaturesOf({ op }: OfflineOrder, { digestHex, signatures }: OfflineRequestEntity): object {
  const [signature] = signatures ?? [];
  if (op !== 'signTransfer') return { digestHex, signatures };
  invariant(signature?.recoveryId !== undefined, 'a signature of a transfer names its public key');
  return { digestHex, signature };
}
