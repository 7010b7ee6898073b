import type { Reader, Tx } from '../database';
import { UserEntity } from '../users/user.entity';

/**
 * SQL: the users who may vote. These users are the active people of the organisation. If `$1` is true, the active service
 * accounts of the organisation may vote too. End users may not vote.
 */
const ELIGIBLE = `t.kind IN ('CustomerEmployee', 'TenantUser') AND t.is_active AND t.date_archived IS NULL
  AND (NOT t.is_service_account OR $1::boolean)`;

type Programs = { readonly serviceAccounts: boolean };

export const voterStore = {
  /** Every user of the organisation who may vote. */
  async eligible(reader: Reader, { serviceAccounts }: Programs): Promise<UserEntity[]> {
    return reader.rows(UserEntity, `WHERE ${ELIGIBLE} ORDER BY t.id`, [serviceAccounts]);
  },

  /**
   * The users among `userIds` who may vote. Their rows are locked, so none of these users can be deactivated before the
   * transaction ends.
   */
  async eligibleAmong(tx: Tx, userIds: readonly string[], { serviceAccounts }: Programs): Promise<UserEntity[]> {
    return tx.rows(UserEntity, `WHERE ${ELIGIBLE} AND t.id = ANY($2) ORDER BY t.id FOR SHARE`, [serviceAccounts, userIds]);
  },
};
