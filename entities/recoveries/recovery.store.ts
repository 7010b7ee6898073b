import type { Reader, Tx } from '../database';
import { type PreparedCredential, RecoveryEntity } from './recovery.entity';

type NewRecovery = Pick<
  RecoveryEntity,
  'id' | 'userId' | 'kind' | 'status' | 'credentialUuid' | 'begunBy' | 'newCredentials' | 'dateEffective'
> &
  Partial<Pick<RecoveryEntity, 'dateEnded' | 'dateExpires'>>;
type Page = { readonly userId: string | undefined; readonly after: string | undefined; readonly limit: number };

/** A recovery without its new credentials. */
export type RecoveryRow = Pick<
  RecoveryEntity,
  'id' | 'userId' | 'kind' | 'status' | 'begunBy' | 'dateCreated' | 'dateEffective' | 'dateExpires' | 'dateEnded' | 'endedBy'
> & { readonly username: string };

/** A recovery that an operator began. The operator gave the code to an administrator who cannot sign in. */
type DueReissue = { readonly id: string; readonly codeDigest: string };

const SELECT = `
  SELECT t.id, t.user_id AS "userId", u.username, t.kind, t.status, t.begun_by AS "begunBy", t.date_created AS "dateCreated",
    t.date_effective AS "dateEffective", t.date_expires AS "dateExpires", t.date_ended AS "dateEnded", t.ended_by AS "endedBy"
  FROM recoveries t JOIN users u ON u.org_id = t.org_id AND u.id = t.user_id`;

export const recoveryStore = {
  /** Returns false if another recovery of the same user is pending. */
  async add(tx: Tx, recovery: NewRecovery): Promise<boolean> {
    return tx.insertOnce(RecoveryEntity, { orgId: tx.orgId, ...recovery });
  },

  async find(reader: Reader, id: string): Promise<RecoveryRow | undefined> {
    const [row] = await reader.select<RecoveryRow>(`${SELECT} WHERE t.id = $1`, [id]);
    return row;
  },

  /** Newest first, plus one row if there is a next page. */
  async list(reader: Reader, { userId, after, limit }: Page): Promise<RecoveryRow[]> {
    return reader.select(
      `${SELECT} WHERE ($1::text IS NULL OR t.user_id = $1) AND ($2::text IS NULL OR t.id < $2 COLLATE "C")
       ORDER BY t.id DESC LIMIT $3`,
      [userId ?? null, after ?? null, limit + 1],
    );
  },

  async waitingOf(tx: Tx, userId: string): Promise<RecoveryRow | undefined> {
    const [row] = await tx.select<RecoveryRow>(`${SELECT} WHERE t.user_id = $1 AND t.status = 'Waiting'`, [userId]);
    return row;
  },

  /**
   * The granted recovery whose code is valid now. Undefined while the deployment is frozen. Omits a recovery that began before
   * the deployment was last released from a freeze, because the freeze might follow from a restore. The restored rows might not
   * show that the recovery was stopped or the code was used, and the code could then be used a second time.
   */
  async dueReissue(reader: Reader, userId: string): Promise<DueReissue | undefined> {
    const [row] = await reader.select<DueReissue>(
      `SELECT t.id, g.code_digest AS "codeDigest"
       FROM recoveries t JOIN reissue_grants g ON g.org_id = t.org_id AND g.id = t.id AND g.user_id = t.user_id CROSS JOIN deployment d
       WHERE t.user_id = $1 AND t.status = 'Waiting' AND t.kind = 'Operator' AND d.date_frozen IS NULL
         AND g.date_effective <= clock_timestamp() AND g.date_expires > clock_timestamp()
         AND (d.date_released > t.date_created) IS NOT TRUE`,
      [userId],
    );
    return row;
  },

  /** Whether any credential, in whatever state, already has one of the credential ids. */
  async areTaken(tx: Tx, prepared: readonly PreparedCredential[]): Promise<boolean> {
    const ids = prepared.map(({ credentialId }) => credentialId);
    return (await tx.select('SELECT 1 FROM credentials t WHERE t.credential_id = ANY($1) LIMIT 1', [ids])).length > 0;
  },

  async lockWaiting(tx: Tx, id: string): Promise<RecoveryEntity | undefined> {
    return tx.row(RecoveryEntity, `WHERE t.id = $1 AND t.status = 'Waiting' FOR UPDATE`, [id]);
  },

  /**
   * Ends a waiting recovery, and deletes the new credentials from the row of the recovery. Exactly one of several concurrent
   * calls returns true.
   */
  async end(tx: Tx, id: string, status: 'Applied' | 'Stopped', endedBy: string | null): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE recoveries SET status = $3, ended_by = $4, date_ended = clock_timestamp(), new_credentials = '[]'
       WHERE org_id = $1 AND id = $2 AND status = 'Waiting' RETURNING id`,
      [tx.orgId, id, status, endedBy],
    );
    return rows.length > 0;
  },

  /** Includes the credentials of the user's tokens. */
  async voidCredentials(tx: Tx, userId: string): Promise<void> {
    await tx.query(
      `UPDATE credentials SET is_active = false, date_removed = clock_timestamp()
       WHERE org_id = $1 AND user_id = $2 AND date_removed IS NULL`,
      [tx.orgId, userId],
    );
  },
};
