import type { Reader } from '../database';
import { UserEntity } from '../users/user.entity';

/** Who can decide at all: people of the organisation who are active. Service accounts and end users cannot. */
const ELIGIBLE = `t.kind = 'CustomerEmployee' AND t.is_active AND NOT t.is_service_account`;

export const voterStore = {
  async eligible(reader: Reader): Promise<UserEntity[]> {
    return reader.rows(UserEntity, `WHERE ${ELIGIBLE} ORDER BY t.id`);
  },

  /** Those of these users who can decide. */
  async eligibleAmong(reader: Reader, userIds: readonly string[]): Promise<UserEntity[]> {
    return reader.rows(UserEntity, `WHERE ${ELIGIBLE} AND t.id = ANY($1) ORDER BY t.id`, [userIds]);
  },
};
