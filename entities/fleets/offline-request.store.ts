import { FLEET_SIGN_REQUESTS_MAX } from '../../domain/fleets';
import { newId } from '../../platform/ids';
import type { Reader, Tx } from '../database';
import { FAILED_TRANSFERS } from '../ended-states';
import { FleetOperationEntity } from './fleet-operation.entity';
import { type DeviceSignature, OfflineRequestEntity } from './offline-request.entity';

type Carried = Pick<OfflineRequestEntity, 'groupId' | 'vouchedOrder' | 'digestHex' | 'messages'> & { readonly groupId: string };

/** SQL: the record of the request still waits for a signature, and no other request is about to take its place. */
const IS_OPEN = `(EXISTS (SELECT FROM transfers r WHERE r.org_id = t.org_id AND r.id = t.request_id AND r.state = 'Signing'
    AND NOT EXISTS (SELECT FROM transfers n WHERE n.org_id = r.org_id AND n.id = r.replaced_by_id AND n.state NOT IN ${FAILED_TRANSFERS}))
  OR EXISTS (SELECT FROM signatures r WHERE r.org_id = t.org_id AND r.id = t.request_id AND r.state = 'Signing'))`;

export const offlineRequestStore = {
  async find(reader: Reader, requestId: string): Promise<OfflineRequestEntity | undefined> {
    return reader.row(OfflineRequestEntity, 'WHERE t.request_id = $1', [requestId]);
  },

  /** Undefined for a request without an offline key, and once a device has signed the request. */
  async unsigned(reader: Reader, requestId: string): Promise<OfflineRequestEntity | undefined> {
    return reader.row(OfflineRequestEntity, 'WHERE t.request_id = $1 AND t.signatures IS NULL', [requestId]);
  },

  /** Whether an archive with the request exists, which a device may sign at any later time. */
  async isExported(reader: Reader, requestId: string): Promise<boolean> {
    const found = await reader.row(OfflineRequestEntity, 'WHERE t.request_id = $1 AND t.group_id IS NOT NULL', [requestId]);
    return found !== undefined;
  },

  /** Keeps an earlier row of the request, so the start of the wait stays the same. */
  async wait(tx: Tx, row: Pick<OfflineRequestEntity, 'requestId' | 'op' | 'keyId' | 'storeId' | 'contentDigest'>): Promise<void> {
    await tx.insertOnce(OfflineRequestEntity, { orgId: tx.orgId, ...row });
  },

  /**
   * The open requests of the store without signatures, oldest first. A store has at most one open group, so a request that an
   * earlier group has not brought back signed waits for the next group.
   */
  async waiting(reader: Reader, storeId: string, most = FLEET_SIGN_REQUESTS_MAX): Promise<OfflineRequestEntity[]> {
    return reader.rows(
      OfflineRequestEntity,
      `WHERE t.store_id = $1 AND t.signatures IS NULL AND ${IS_OPEN}
       ORDER BY t.date_created, t.request_id LIMIT $2`,
      [storeId, most],
    );
  },

  /** Puts the request into the group, and returns the id of the operation, which is the same for a repeated call. */
  async carry(tx: Tx, requestId: string, carried: Carried): Promise<string> {
    const { groupId } = carried;
    await tx.run('SELECT FROM fleet_groups WHERE org_id = $1 AND id = $2 FOR UPDATE', [tx.orgId, groupId]);
    await tx.set(OfflineRequestEntity, { requestId }, { ...carried, dateCollected: await tx.clock() });
    const known = await tx.row(FleetOperationEntity, 'WHERE t.group_id = $1 AND t.subject_id = $2', [groupId, requestId]);
    if (known) return known.id;
    const id = newId('fleetOperation');
    const operation = { id, groupId, kind: 'OnchainSign', status: 'Initialized', subjectId: requestId } as const;
    await tx.insert(FleetOperationEntity, { orgId: tx.orgId, ...operation });
    return id;
  },

  /** Returns false if the request has signatures already. */
  async signed(tx: Tx, requestId: string, groupId: string, signatures: readonly DeviceSignature[]): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE offline_requests SET signatures = $4, date_signed = clock_timestamp()
       WHERE org_id = $1 AND request_id = $2 AND group_id = $3 AND signatures IS NULL RETURNING request_id`,
      [tx.orgId, requestId, groupId, JSON.stringify(signatures)],
    );
    return changed.length === 1;
  },

  ofGroup: (reader: Reader, groupId: string): Promise<OfflineRequestEntity[]> =>
    reader.rows(OfflineRequestEntity, 'WHERE t.group_id = $1', [groupId]),
};
