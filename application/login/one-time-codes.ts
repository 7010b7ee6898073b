import type { Tx } from '../../entities/database';
import type { OneTimeCodeEntity } from '../../entities/one-time-codes/one-time-code.entity';
import { oneTimeCodeStore } from '../../entities/one-time-codes/one-time-code.store';
import { newId } from '../../platform/ids';
import { newCode } from '../../platform/one-time-codes';
import type { IdentityServices } from '../users/identity-services';

type Purpose = OneTimeCodeEntity['purpose'];
type Owner = { readonly userId: string; readonly purpose: Purpose };

const NO_USER = '';

/**
 * A caller presents a code for an additional credential without naming an organisation or a user. The digest of such a code
 * therefore includes neither.
 */
const contextOf = (orgId: string, { userId, purpose }: Owner): string =>
  purpose === 'Credential' ? purpose : `${orgId}/${userId}/${purpose}`;

export const codeDigestOf = (
  { codeDigest }: Pick<IdentityServices, 'codeDigest'>,
  orgId: string,
  owner: Owner,
  code: string,
): string => codeDigest(code, contextOf(orgId, owner));

/** An earlier code for the same user and purpose becomes void. Only the digest of the code is stored. */
export async function issueCode(
  tx: Tx,
  services: Pick<IdentityServices, 'codeDigest'>,
  owner: Owner,
  dateExpires: Date,
): Promise<string> {
  const code = newCode();
  const codeDigest = codeDigestOf(services, tx.orgId, owner, code);
  await oneTimeCodeStore.add(tx, { id: newId('oneTimeCode'), ...owner, codeDigest, dateExpires });
  return code;
}

/**
 * Uses up the code, and returns whether the code is valid. Exactly one of several concurrent uses returns true. The transaction
 * must commit even after a wrong code, because wrong codes are counted. Five wrong codes void the issued code, and many wrong
 * codes from one client address cause pauses.
 */
export async function redeemCode(
  tx: Tx,
  { lockout, ...services }: Pick<IdentityServices, 'codeDigest' | 'lockout'>,
  owner: Owner,
  code: string,
): Promise<boolean> {
  const digest = codeDigestOf(services, tx.orgId, owner, code);
  const guessed = { orgId: tx.orgId, userId: owner.userId, kind: owner.purpose };
  const redeemed = await lockout.guess(guessed, async (mayTry) => {
    // During a pause the same queries run for a user who does not exist. No code changes, and the response time does not reveal
    // the pause.
    const asked = mayTry ? owner.userId : NO_USER;
    return (await oneTimeCodeStore.redeem(tx, { ...owner, userId: asked, codeDigest: digest })) || undefined;
  });
  return redeemed === true;
}
