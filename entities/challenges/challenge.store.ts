import type { Reader, Tx } from '../database';
import { ChallengeEntity } from './challenge.entity';

type NewChallenge = Pick<ChallengeEntity, 'id' | 'kind' | 'userId' | 'challenge' | 'data' | 'dateExpires'>;

export const challengeStore = {
  async add(tx: Tx, challenge: NewChallenge): Promise<void> {
    await tx.insert(ChallengeEntity, { orgId: tx.orgId, ...challenge });
  },

  async voidOpen(tx: Tx, userId: string, kind: ChallengeEntity['kind']): Promise<void> {
    await tx.query(
      `UPDATE challenges SET date_consumed = clock_timestamp()
       WHERE org_id = $1 AND user_id = $2 AND kind = $3 AND date_consumed IS NULL`,
      [tx.orgId, userId, kind],
    );
  },

  /** Undefined for a used challenge, or for a challenge that has expired by the database's clock. */
  async findOpen(reader: Reader, id: string, kind: ChallengeEntity['kind']): Promise<ChallengeEntity | undefined> {
    return reader.row(
      ChallengeEntity,
      'WHERE t.id = $1 AND t.kind = $2 AND t.date_consumed IS NULL AND t.date_expires > clock_timestamp()',
      [id, kind],
    );
  },

  /** Uses up the challenge. If several calls run concurrently, exactly one call returns true. */
  async consume(tx: Tx, id: string): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE challenges SET date_consumed = clock_timestamp()
       WHERE org_id = $1 AND id = $2 AND date_consumed IS NULL AND date_expires > clock_timestamp() RETURNING id`,
      [tx.orgId, id],
    );
    return rows.length > 0;
  },
};
