import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';
import { ChangeRequestEntity } from './change-request.entity';

export type NewChangeRequest = Pick<
  ChangeRequestEntity,
  | 'id'
  | 'kind'
  | 'operationKind'
  | 'entityId'
  | 'subject'
  | 'baseVersion'
  | 'before'
  | 'change'
  | 'body'
  | 'status'
  | 'reason'
  | 'requesterUserId'
  | 'requesterTokenId'
  | 'userActionId'
  | 'approvalId'
  | 'dateCreated'
  | 'dateResolved'
>;

type Grant = Pick<ChangeRequestEntity, 'kind' | 'requesterUserId'> & {
  readonly requestDigest: string;
  readonly approvedSince: Date;
};
type Move = Pick<ChangeRequestEntity, 'status' | 'reason' | 'approvalId'>;

export const changeRequestStore = {
  async add(tx: Tx, request: NewChangeRequest): Promise<void> {
    await tx.insert(ChangeRequestEntity, { orgId: tx.orgId, version: 1, ...request });
  },

  async find(reader: Reader, id: string): Promise<ChangeRequestEntity | undefined> {
    return reader.row(ChangeRequestEntity, 'WHERE t.id = $1', [id]);
  },

  async lock(tx: Tx, id: string): Promise<ChangeRequestEntity> {
    const row = await tx.row(ChangeRequestEntity, 'WHERE t.id = $1 FOR UPDATE', [id]);
    invariant(row, `the change request ${id} exists before its workflow starts`);
    return row;
  },

  async pendingOf(reader: Reader, subject: string): Promise<ChangeRequestEntity | undefined> {
    return reader.row(ChangeRequestEntity, `WHERE t.subject = $1 AND t.status = 'Pending'`, [subject]);
  },

  async pendingAmong(reader: Reader, entityIds: readonly string[]): Promise<ChangeRequestEntity[]> {
    if (entityIds.length === 0) return [];
    return reader.rows(ChangeRequestEntity, `WHERE t.entity_id = ANY($1) AND t.status = 'Pending'`, [entityIds]);
  },

  /**
   * A grant is an approved change request that permits one key request. Finds an unused grant with this kind, this requester and
   * exactly this `requestDigest` that was approved after `approvedSince`. Locks the grant until the transaction ends.
   */
  async lockGrant(tx: Tx, grant: Grant): Promise<ChangeRequestEntity | undefined> {
    return tx.row(
      ChangeRequestEntity,
      `WHERE t.kind = $1 AND t.requester_user_id = $2 AND t.change ->> 'requestDigest' = $3 AND t.date_resolved > $4
         AND t.status = 'Applied' AND t.approval_id IS NOT NULL AND t.used_by IS NULL ORDER BY t.id LIMIT 1 FOR UPDATE`,
      [grant.kind, grant.requesterUserId, grant.requestDigest, grant.approvedSince],
    );
  },

  async use(tx: Tx, { id }: Pick<ChangeRequestEntity, 'id'>, keyRequestId: string): Promise<void> {
    await tx.update(ChangeRequestEntity, { id }, { usedBy: keyRequestId });
  },

  async grantUsedBy(reader: Reader, keyRequestId: string): Promise<ChangeRequestEntity | undefined> {
    return reader.row(ChangeRequestEntity, `WHERE t.used_by = $1 AND t.status = 'Applied'`, [keyRequestId]);
  },

  /** Makes the grant unused again, because the signer has refused the key request. */
  async giveBack(tx: Tx, keyRequestId: string): Promise<void> {
    await tx.update(ChangeRequestEntity, { usedBy: keyRequestId }, { usedBy: null });
  },

  /** Raises the version; a final status also sets `dateResolved`. */
  async move(tx: Tx, { id }: Pick<ChangeRequestEntity, 'id'>, { status, reason, approvalId }: Move): Promise<void> {
    const moved = await tx.query(
      `UPDATE change_requests SET status = $3, reason = $4, approval_id = $5, version = version + 1,
         date_resolved = CASE WHEN $3 = 'Pending' THEN NULL ELSE clock_timestamp() END
       WHERE org_id = $1 AND id = $2 AND status = 'Pending' RETURNING id`,
      [tx.orgId, id, status, reason, approvalId],
    );
    invariant(moved.length === 1, 'the change request is locked and pending');
  },
};
