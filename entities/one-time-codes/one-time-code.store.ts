import type { Tx } from '../database';
import { OneTimeCodeEntity } from './one-time-code.entity';

/** Wrong codes before the right one no longer counts. */
const ATTEMPTS_MAX = 5;

type NewCode = Pick<OneTimeCodeEntity, 'id' | 'userId' | 'purpose' | 'codeDigest' | 'dateExpires'>;
type Redeemed = Pick<OneTimeCodeEntity, 'userId' | 'purpose' | 'codeDigest'>;

export const oneTimeCodeStore = {
  /** Writes a code and voids the open one of the same person and purpose. */
  async add(tx: Tx, code: NewCode): Promise<void> {
    await this.voidOpen(tx, code.userId, code.purpose);
    await tx.insert(OneTimeCodeEntity, { orgId: tx.orgId, ...code });
  },

  async voidOpen(tx: Tx, userId: string, purpose: OneTimeCodeEntity['purpose']): Promise<void> {
    await tx.query(
      `UPDATE one_time_codes SET date_consumed = clock_timestamp()
       WHERE org_id = $1 AND user_id = $2 AND purpose = $3 AND date_consumed IS NULL`,
      [tx.orgId, userId, purpose],
    );
  },

  /** Uses the open code up if it is this one and in time; a wrong one counts as an attempt. Commit either way. */
  async redeem(tx: Tx, { userId, purpose, codeDigest }: Redeemed): Promise<boolean> {
    const where = 'org_id = $1 AND user_id = $2 AND purpose = $3 AND date_consumed IS NULL';
    const used = await tx.query(
      `UPDATE one_time_codes SET date_consumed = clock_timestamp()
       WHERE ${where} AND code_digest = $4 AND attempts < $5 AND date_expires > clock_timestamp() RETURNING id`,
      [tx.orgId, userId, purpose, codeDigest, ATTEMPTS_MAX],
    );
    if (used.length > 0) return true;
    await tx.query(`UPDATE one_time_codes SET attempts = attempts + 1 WHERE ${where}`, [tx.orgId, userId, purpose]);
    return false;
  },
};
