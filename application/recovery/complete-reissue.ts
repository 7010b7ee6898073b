import { AppError } from '../../domain/errors';
import { challengeStore } from '../../entities/challenges/challenge.store';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { recoveryStore } from '../../entities/recoveries/recovery.store';
import { userStore } from '../../entities/users/user.store';
import { newId } from '../../platform/ids';
import type { TokenClaims } from '../../platform/token-keys';
import { unauthorized } from '../access-tokens/tokens';
import { attestAll, type NewCredentials } from '../credentials/new-credentials';
import { completeRegistration, type RegistrationServices, registrationOf } from '../registration/registration';
import { tellConcerned } from './notices';
import { obstacleTo } from './reissues';
import { replaceCredentials, wakeOf } from './waiting-recoveries';

/**
 * Stores credentials for the user of the temporary token. After an operator's code, the new credentials replace every existing
 * credential. Throws `Unauthorized` and `AttestationInvalid` like `completeRegistration`.
 */
export async function register(services: RegistrationServices, ceremony: TokenClaims, credentials: NewCredentials) {
  const { reissueId, ...offered } = await registrationOf(services, ceremony);
  if (reissueId !== undefined) return completeReissue(services, ceremony, credentials, { reissueId, ...offered });
  return (await completeRegistration(services, ceremony, credentials, async () => undefined)).registered;
}

async function completeReissue(
  services: RegistrationServices,
  ceremony: TokenClaims,
  credentials: NewCredentials,
  { reissueId, challenge, sealedSeed }: Awaited<ReturnType<typeof registrationOf>> & { readonly reissueId: string },
) {
  const { orgId, userId, id: challengeId } = ceremony;
  const attested = await attestAll(services, orgId, { challenge, sealedSeed }, credentials);
  const [{ kind, name }] = attested;
  const uuid = newId('credential');
  const prepared = attested.map((one, index) => ({ id: index === 0 ? uuid : newId('credential'), ...one }));
  const { answer, rows } = await services.db.withOrg(orgId, async (tx) => {
    const user = await userStore.lock(tx, userId);
    // The registration is refused if the recovery was stopped or has expired, or if the deployment was frozen after the code was
    // used.
    if (!user || (await recoveryStore.dueReissue(tx, userId))?.id !== reissueId) throw unauthorized();
    if ((await obstacleTo(tx, user)) !== undefined) throw unauthorized();
    if (!(await challengeStore.consume(tx, challengeId))) throw unauthorized();
    if (await recoveryStore.areTaken(tx, prepared)) {
      throw new AppError('AttestationInvalid', 'The credential id is already in use');
    }
    // If a concurrent stop has already ended the recovery, the registration fails. A later stop comes too late.
    if (!(await recoveryStore.end(tx, reissueId, 'Applied', null))) throw unauthorized();
    await replaceCredentials(tx, user, prepared);
    const wake = wakeOf(reissueId);
    await outboxStore.add(tx, wake);
    const { username } = user;
    const mails = await tellConcerned(tx, services, user, { template: 'RecoveryCompleted', data: { username } });
    return { answer: { credential: { uuid, kind, name }, user: { id: userId, username, orgId } }, rows: [wake, ...mails] };
  });
  for (const row of rows) void services.dispatcher.tryNow(orgId, row);
  return answer;
}
