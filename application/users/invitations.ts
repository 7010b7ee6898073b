import type { Tx } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { issueCode } from '../login/one-time-codes';
import { queueMail } from '../mails/mails';
import type { IdentityServices } from './identity-services';

/** After this time the code is void. A user can request a new code at any time. */
const REGISTRATION_CODE_LIFETIME_MS = 3 * 24 * 3_600_000;

type Invited = Pick<UserEntity, 'id' | 'username'>;
type Codes = Pick<IdentityServices, 'codeDigest'>;

/** The new code replaces the user's previous code. `invite` mails the code, or an operator hands the code over. */
export async function issueRegistrationCode(
  tx: Tx,
  services: Codes,
  userId: string,
): Promise<{ code: string; dateExpires: Date }> {
  const dateExpires = new Date((await tx.clock()).getTime() + REGISTRATION_CODE_LIFETIME_MS);
  return { code: await issueCode(tx, services, { userId, purpose: 'Registration' }, dateExpires), dateExpires };
}

/** Pass the returned dispatch to `tryNow` after the commit. */
export async function invite(
  tx: Tx,
  services: Codes & Pick<IdentityServices, 'mailContents'>,
  { id, username }: Invited,
): Promise<Dispatch> {
  const { code, dateExpires } = await issueRegistrationCode(tx, services, id);
  const data = { code, dateExpires: dateExpires.toISOString() };
  return queueMail(tx, services, { userId: id, to: username, template: 'RegistrationCode', data });
}
