import { AccessTokenEntity } from '../../entities/access-tokens/access-token.entity';
import { ChallengeEntity } from '../../entities/challenges/challenge.entity';
import { OneTimeCodeEntity } from '../../entities/one-time-codes/one-time-code.entity';
import { newId } from '../../platform/ids';
import type { Person, TestApi } from './api';
import { insertPolicy } from './held-activity';
import { askFor } from './policies';

export const NOBODY = 'us-00000-00000-0000000000000000';
const HOUR_MS = 3_600_000;

/** Inserts a policy in force that names this user as an approver, and returns its id. */
export const policyNaming = ({ database }: TestApi, orgId: string, userId: string): Promise<string> =>
  insertPolicy(database.db, orgId, {
    name: 'Names somebody',
    action: askFor([{ quorum: 1, approvers: { userId: { in: [userId] } } }], 60),
  });

/** Inserts an open code and an open challenge of this person. */
export const openDoors = ({ database }: TestApi, { orgId, userId }: Person): Promise<void> =>
  database.db.withOrg(orgId, async (tx) => {
    const dateExpires = new Date(Date.now() + HOUR_MS);
    const code = { orgId, id: newId('oneTimeCode'), userId, purpose: 'Login' as const, codeDigest: 'x', dateExpires };
    await tx.insert(OneTimeCodeEntity, code);
    const challenge = { orgId, id: newId('challenge'), kind: 'Login' as const, userId, challenge: 'x', dateExpires };
    await tx.insert(ChallengeEntity, challenge);
  });

/** The number of this person's tokens, codes and challenges that are still usable. */
export async function doorsOf({ database }: TestApi, { orgId, userId }: Person): Promise<number> {
  const reader = database.db.read(orgId);
  const tokens = await reader.rows(AccessTokenEntity, 'WHERE t.user_id = $1 AND t.is_active', [userId]);
  const codes = await reader.rows(OneTimeCodeEntity, 'WHERE t.user_id = $1 AND t.date_consumed IS NULL', [userId]);
  const challenges = await reader.rows(ChallengeEntity, 'WHERE t.user_id = $1 AND t.date_consumed IS NULL', [userId]);
  return tokens.length + codes.length + challenges.length;
}
