import { FLEET_SIGN_REQUESTS_MAX } from '../../domain/fleets';
import type { Reader, Tx } from '../database';
import { OfflineRequestEntity } from './offline-request.entity';

/** SQL: the record of the request still waits for a signature. */
const IS_OPEN = `(EXISTS (SELECT FROM transfers r WHERE r.org_id = t.org_id AND r.id = t.request_id AND r.state = 'Signing')
  OR EXISTS (SELECT FROM signatures r WHERE r.org_id = t.org_id AND r.id = t.request_id AND r.state = 'Signing'))`;

export const offlineRequestStore = {
  async find(reader: Reader, requestId: string): Promise<OfflineRequestEntity | undefined> {
    return reader.row(OfflineRequestEntity, 'WHERE t.request_id = $1', [requestId]);
  },

  /** Undefined for a request without an offline key, and once a device has signed the request. */
  async unsigned(reader: Reader, requestId: string): Promise<OfflineRequestEntity | undefined> {
    return reader.row(OfflineRequestEntity, 'WHERE t.request_id = $1 AND t.signatures IS NULL', [requestId]);
  },

  /** Keeps an earlier row of the request, so the start of the wait stays the same. */
  async wait(tx: Tx, row: Pick<OfflineRequestEntity, 'requestId' | 'op' | 'keyId' | 'storeId' | 'contentDigest'>): Promise<void> {
    await tx.insertOnce(OfflineRequestEntity, { orgId: tx.orgId, ...row });
  },

  /** The open requests of the store that no group carries, oldest first. */
  async waiting(reader: Reader, storeId: string): Promise<OfflineRequestEntity[]> {
    return reader.rows(
      OfflineRequestEntity,
      `WHERE t.store_id = $1 AND t.signatures IS NULL AND t.group_id IS NULL AND ${IS_OPEN}
       ORDER BY t.date_created, t.request_id LIMIT ${FLEET_SIGN_REQUESTS_MAX}`,
      [storeId],
    );
  },
};
