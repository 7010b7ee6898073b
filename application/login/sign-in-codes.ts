import { CREDENTIAL_KINDS } from '../../domain/credentials';
import { isId } from '../../domain/ids';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { signInStore } from '../../entities/users/sign-in.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { queueMail } from '../mails/mails';
import type { Services } from '../services';
import type { IdentityServices } from '../users/identity-services';
import { issueCode } from './one-time-codes';

const CODE_LIFETIME_MS = 15 * 60_000;

type Purpose = 'Login' | 'Recovery';
type Said = { readonly orgId: string; readonly username: string };

/**
 * Mails a new code, which voids the previous code. Does nothing if the user does not exist or cannot use a code. Callers must
 * respond without waiting for this function, or the response time would reveal whether the user exists.
 */
export async function sendSignInCode(
  services: Pick<Services, 'db' | 'dispatcher'> & IdentityServices,
  { orgId, username }: Said,
  purpose: Purpose,
): Promise<void> {
  if (!isId('organization', orgId)) return;
  const mail = await services.db.withOrg(orgId, async (tx) => {
    const user = await signInStore.lockNamed(tx, username);
    if (!user || !(await canUse(tx, user, purpose))) return undefined;
    const { id: userId, username: to } = user;
    const dateExpires = new Date((await tx.clock()).getTime() + CODE_LIFETIME_MS);
    const code = await issueCode(tx, services, { userId, purpose }, dateExpires);
    return queueMail(tx, services, {
      userId,
      to,
      template: `${purpose}Code`,
      data: { code, dateExpires: dateExpires.toISOString() },
    });
  });
  if (mail) await services.dispatcher.tryNow(orgId, mail);
}

/** A code is useful only to a user who has a credential for the next step. */
async function canUse(tx: Tx, { id }: UserEntity, purpose: Purpose): Promise<boolean> {
  const usable = await credentialStore.listUsable(tx, id, undefined);
  return usable.some(({ kind }) => (purpose === 'Recovery' ? kind === 'RecoveryKey' : CREDENTIAL_KINDS[kind].factor !== 'none'));
}
