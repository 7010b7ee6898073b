import type { Database, Tx } from '../database';
import type { OneTimeCodeEntity } from './one-time-code.entity';

/** After this many wrong codes, the correct code is refused too. */
const ATTEMPTS_MAX = 5;

type NewCode = Pick<OneTimeCodeEntity, 'id' | 'userId' | 'purpose' | 'codeDigest' | 'dateExpires'>;
type Redeemed = Pick<OneTimeCodeEntity, 'userId' | 'purpose' | 'codeDigest'>;

type CodeOwner = { readonly orgId: string; readonly userId: string };

/**
 * No row has this organisation id. With this id, row-level security shows only the row with the digest in the setting
 * `strongroom.code_digest`.
 */
const NO_ORGANIZATION = '';

export const oneTimeCodeStore = {
  /** Replaces the open code of the same person and purpose. If two codes are added concurrently, the last code is valid. */
  async add(tx: Tx, { id, userId, purpose, codeDigest, dateExpires }: NewCode): Promise<void> {
    await tx.query(
      `INSERT INTO one_time_codes AS t (org_id, id, user_id, purpose, code_digest, date_expires) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (org_id, user_id, purpose) WHERE date_consumed IS NULL DO UPDATE
       SET id = excluded.id, code_digest = excluded.code_digest, attempts = 0, date_created = clock_timestamp(),
         date_expires = excluded.date_expires`,
      [tx.orgId, id, userId, purpose, codeDigest, dateExpires],
    );
  },

  /**
   * The owner of a valid code for a new credential. The request contains only the code, so the row is found by the code's digest.
   */
  async findOwner(db: Database, codeDigest: string): Promise<CodeOwner | undefined> {
    return db.withOrg(NO_ORGANIZATION, async (tx) => {
      await tx.query(`SELECT set_config('strongroom.code_digest', $1, true)`, [codeDigest]);
      const owners = await tx.select<CodeOwner>(
        `SELECT org_id AS "orgId", user_id AS "userId" FROM one_time_codes
         WHERE purpose = 'Credential' AND code_digest = $1 AND date_consumed IS NULL AND date_expires > clock_timestamp()`,
        [codeDigest],
      );
      return owners.length === 1 ? owners[0] : undefined;
    });
  },

  async voidOpen(tx: Tx, userId: string, purpose: OneTimeCodeEntity['purpose']): Promise<void> {
    await tx.query(
      `UPDATE one_time_codes SET date_consumed = clock_timestamp()
       WHERE org_id = $1 AND user_id = $2 AND purpose = $3 AND date_consumed IS NULL`,
      [tx.orgId, userId, purpose],
    );
  },

  /** A wrong code is recorded as an attempt, so the caller must commit even if this function returns false. */
  async redeem(tx: Tx, { userId, purpose, codeDigest }: Redeemed): Promise<boolean> {
    const where = 'org_id = $1 AND user_id = $2 AND purpose = $3 AND date_consumed IS NULL';
    const used = await tx.query(
      `UPDATE one_time_codes SET date_consumed = clock_timestamp()
       WHERE ${where} AND code_digest = $4 AND attempts < $5 AND date_expires > clock_timestamp() RETURNING id`,
      [tx.orgId, userId, purpose, codeDigest, ATTEMPTS_MAX],
    );
    if (used.length > 0) return true;
    // The logical message makes the commit wait for the disk even if no code is open. Otherwise a faster response would reveal
    // that no code is open.
    await tx.query(
      `WITH counted AS (UPDATE one_time_codes SET attempts = attempts + 1 WHERE ${where})
       SELECT pg_logical_emit_message(true, 'strongroom', '')`,
      [tx.orgId, userId, purpose],
    );
    return false;
  },
};
