import type { Tx } from '../../entities/database';
import type { OneTimeCodeEntity } from '../../entities/one-time-codes/one-time-code.entity';
import { oneTimeCodeStore } from '../../entities/one-time-codes/one-time-code.store';
import { newId } from '../../platform/ids';
import { newCode } from '../../platform/one-time-codes';
import type { IdentityServices } from '../users/identity-services';

type Purpose = OneTimeCodeEntity['purpose'];
type Owner = { readonly userId: string; readonly purpose: Purpose };

const NO_USER = '';

/** The bearer of a code for a further credential presents nothing else, so its digest cannot include the user. */
const contextOf = (orgId: string, { userId, purpose }: Owner): string =>
  purpose === 'Credential' ? purpose : `${orgId}/${userId}/${purpose}`;

/** The digest under which the code of this user and purpose is stored. */
export const codeDigestOf = (
  { codeDigest }: Pick<IdentityServices, 'codeDigest'>,
  orgId: string,
  owner: Owner,
  code: string,
): string => codeDigest(code, contextOf(orgId, owner));

/** Writes a new code for one user and purpose, voids the earlier one, and returns it: it is stored nowhere. */
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
 * Consumes a code; exactly one of many concurrent uses gets true. The transaction must commit even for a wrong code, because it counts
 * wrong codes: five of them void the code, and many from one address lead to pauses.
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
    // During a pause the same queries run for an unknown user, so that the pause cannot be measured and no code is touched.
    const asked = mayTry ? owner.userId : NO_USER;
    return (await oneTimeCodeStore.redeem(tx, { ...owner, userId: asked, codeDigest: digest })) || undefined;
  });
  return redeemed === true;
}
