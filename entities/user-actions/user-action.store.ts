import type { CredentialKind } from '../../domain/credentials';
import type { Reader, Tx } from '../database';
import { UserActionEntity } from './user-action.entity';

type Evidence = Pick<
  UserActionEntity,
  'publicKey' | 'clientData' | 'signature' | 'authenticatorData' | 'secondFactor' | 'witness'
> & {
  readonly credentialUuid: string;
  readonly firstFactorKind: CredentialKind;
};
type NewUserAction = Omit<
  UserActionEntity,
  'orgId' | 'dateCreated' | 'dateSigned' | 'dateConsumed' | 'isEarlier' | keyof Evidence
>;

export const userActionStore = {
  async add(tx: Tx, action: NewUserAction): Promise<void> {
    await tx.insert(UserActionEntity, { orgId: tx.orgId, ...action });
  },

  async find(reader: Reader, id: string): Promise<UserActionEntity | undefined> {
    return reader.row(UserActionEntity, 'WHERE t.id = $1', [id]);
  },

  all: (reader: Reader, ids: readonly string[]): Promise<UserActionEntity[]> =>
    reader.rows(UserActionEntity, 'WHERE t.id = ANY($1) ORDER BY t.id', [ids]),

  /** Includes the user actions by which people approved the request. */
  behind: (reader: Reader, id: string, approvalId: string | null): Promise<UserActionEntity[]> =>
    reader.rows(
      UserActionEntity,
      `WHERE t.id = ANY(array_append(ARRAY(
         SELECT v.user_action_id FROM approval_votes v WHERE v.approval_id = $2 AND v.value = 'Approved'), $1)) ORDER BY t.id`,
      [id, approvalId],
    ),

  /**
   * Returns false if the action is already signed or has expired. If one challenge gets two signatures, exactly one of them is
   * accepted.
   */
  async sign(tx: Tx, id: string, evidence: Evidence): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE user_actions a
       SET credential_uuid = $3, public_key = $4, client_data = $5, signature = $6, authenticator_data = $7,
         first_factor_kind = $8, second_factor = $9, witness = $10, date_signed = clock_timestamp()
       WHERE a.org_id = $1 AND a.id = $2 AND a.date_signed IS NULL AND a.date_expires > clock_timestamp()
       RETURNING a.id`,
      [
        tx.orgId,
        id,
        evidence.credentialUuid,
        evidence.publicKey,
        evidence.clientData,
        evidence.signature,
        evidence.authenticatorData,
        evidence.firstFactorKind,
        evidence.secondFactor === null ? null : JSON.stringify(evidence.secondFactor),
        evidence.witness,
      ],
    );
    return rows.length > 0;
  },

  /**
   * Uses up the action. Returns false if the action is not signed, is already used or has expired, or if its credentials are no
   * longer valid.
   */
  async consume(tx: Tx, id: string, userId: string): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE user_actions a SET date_consumed = clock_timestamp()
       WHERE a.org_id = $1 AND a.id = $2 AND a.user_id = $3 AND a.date_signed IS NOT NULL AND a.date_consumed IS NULL
         AND a.date_expires > clock_timestamp() AND NOT EXISTS (
           SELECT FROM credentials c
           WHERE c.org_id = a.org_id AND c.id IN (a.credential_uuid, a.second_factor ->> 'credentialUuid')
             AND NOT (c.is_active AND c.date_removed IS NULL))
       RETURNING a.id`,
      [tx.orgId, id, userId],
    );
    return rows.length > 0;
  },
};
