import type { Reader, Tx } from '../database';
import { UserActionEntity } from './user-action.entity';

type Evidence = {
  readonly credentialUuid: string;
  readonly publicKey: string;
  readonly clientData: string;
  readonly signature: string;
};
type NewUserAction = Omit<
  UserActionEntity,
  'orgId' | 'dateCreated' | 'dateSigned' | 'dateConsumed' | 'credentialUuid' | 'publicKey' | 'clientData' | 'signature'
>;

export const userActionStore = {
  async add(tx: Tx, action: NewUserAction): Promise<void> {
    await tx.insert(UserActionEntity, { orgId: tx.orgId, ...action });
  },

  async find(reader: Reader, id: string): Promise<UserActionEntity | undefined> {
    return reader.row(UserActionEntity, 'WHERE t.id = $1', [id]);
  },

  /** Keeps the assertion with the action, once: of two signatures for one challenge exactly one is taken. */
  async sign(tx: Tx, id: string, evidence: Evidence): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE user_actions a
       SET credential_uuid = $3, public_key = $4, client_data = $5, signature = $6, date_signed = clock_timestamp()
       WHERE a.org_id = $1 AND a.id = $2 AND a.date_signed IS NULL AND a.date_expires > clock_timestamp()
         AND EXISTS (SELECT 1 FROM credentials c WHERE c.org_id = a.org_id AND c.id = $3 AND c.is_active)
       RETURNING a.id`,
      [tx.orgId, id, evidence.credentialUuid, evidence.publicKey, evidence.clientData, evidence.signature],
    );
    return rows.length > 0;
  },
};
