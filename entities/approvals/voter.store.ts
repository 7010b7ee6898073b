import type { Reader, Tx } from '../database';
import { UserEntity } from '../users/user.entity';

/**
 * SQL: the active people of the organisation may vote, but end users may not. If `$1` is true, active service accounts may
 * vote too.
 */
const ELIGIBLE = `t.kind IN ('CustomerEmployee', 'TenantUser') AND t.is_active AND t.date_archived IS NULL
  AND (NOT t.is_service_account OR $1::boolean)`;

type Programs = { readonly serviceAccounts: boolean };

export const voterStore = {
  async eligible(reader: Reader, { serviceAccounts }: Programs): Promise<UserEntity[]> {
    return reader.rows(UserEntity, `WHERE ${ELIGIBLE} ORDER BY t.id`, [serviceAccounts]);
  },

  /** The lock keeps every voter active until the transaction ends. */
  async eligibleAmong(tx: Tx, userIds: readonly string[], { serviceAccounts }: Programs): Promise<UserEntity[]> {
    return tx.rows(UserEntity, `WHERE ${ELIGIBLE} AND t.id = ANY($2) ORDER BY t.id FOR SHARE`, [serviceAccounts, userIds]);
  },
};
