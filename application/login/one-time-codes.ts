import type { Tx } from '../../entities/database';
import type { OneTimeCodeEntity } from '../../entities/one-time-codes/one-time-code.entity';
import { oneTimeCodeStore } from '../../entities/one-time-codes/one-time-code.store';
import { newId } from '../../platform/ids';
import { newCode } from '../../platform/one-time-codes';
import type { IdentityServices } from '../users/identity-services';

type Purpose = OneTimeCodeEntity['purpose'];
type Owner = { readonly userId: string; readonly purpose: Purpose };

const NOBODY = '';

/** A code for a further credential is all that its bearer says, so its digest cannot say whose it is. */
const contextOf = (orgId: string, { userId, purpose }: Owner): string =>
  purpose === 'Credential' ? purpose : `${orgId}/${userId}/${purpose}`;

/** As the code of this person and purpose is stored. */
export const codeDigestOf = (
  { codeDigest }: Pick<IdentityServices, 'codeDigest'>,
  orgId: string,
  owner: Owner,
  code: string,
): string => codeDigest(code, contextOf(orgId, owner));

/** Writes a new code for one person and purpose, voids the earlier one, and answers it: it is stored nowhere. */
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
 * Uses a code up; of many uses at once exactly one is answered true. The transaction must commit whatever the answer, because
 * wrong codes are counted in it: five of them void the code, and many from one address are followed by pauses.
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
    // In a pause the same is asked about nobody, so that the pause cannot be measured and no code is touched.
    const asked = mayTry ? owner.userId : NOBODY;
    return (await oneTimeCodeStore.redeem(tx, { ...owner, userId: asked, codeDigest: digest })) || undefined;
  });
  return redeemed === true;
}
