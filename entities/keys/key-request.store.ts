import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';
import { KeyRequestEntity } from './key-request.entity';

type NewKeyRequest = Pick<KeyRequestEntity, 'id' | 'kind' | 'keyId' | 'userId' | 'tokenId' | 'userActionId' | 'sealedQuestion'>;
type End = Pick<KeyRequestEntity, 'status' | 'sealedAnswer' | 'refusal'>;

export const keyRequestStore = {
  async add(tx: Tx, request: NewKeyRequest): Promise<void> {
    await tx.insert(KeyRequestEntity, { orgId: tx.orgId, ...request, status: 'Pending' });
  },

  async find(reader: Reader, requestId: string): Promise<KeyRequestEntity | undefined> {
    return reader.row(KeyRequestEntity, 'WHERE t.id = $1', [requestId]);
  },

  async lock(tx: Tx, requestId: string): Promise<KeyRequestEntity> {
    const row = await tx.row(KeyRequestEntity, 'WHERE t.id = $1 FOR UPDATE', [requestId]);
    invariant(row, 'a key request exists before its workflow starts');
    return row;
  },

  /** Records that the signer might have received the order. */
  async asked(tx: Tx, requestId: string): Promise<void> {
    await tx.update(KeyRequestEntity, { id: requestId }, { status: 'Asked' });
  },

  /** Ends the request, and deletes the secrets that it contained. */
  async end(tx: Tx, requestId: string, end: End): Promise<void> {
    await tx.update(KeyRequestEntity, { id: requestId }, { ...end, sealedQuestion: null, dateDone: await tx.clock() });
  },

  /** Deletes a result that the caller has read. */
  async forget(tx: Tx, requestId: string): Promise<void> {
    await tx.update(KeyRequestEntity, { id: requestId }, { sealedAnswer: null });
  },
};
