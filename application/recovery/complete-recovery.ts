import { isDeepStrictEqual } from 'node:util';
import { HOUR_MS } from '../../domain/durations';
import { AppError } from '../../domain/errors';
import { hoursNow } from '../../domain/settings';
import { challengeStore } from '../../entities/challenges/challenge.store';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { PreparedCredential, RecoveryEntity } from '../../entities/recoveries/recovery.entity';
import { recoveryStore } from '../../entities/recoveries/recovery.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import { readClientData } from '../../platform/client-data';
import { newId } from '../../platform/ids';
import type { KeyAssertion } from '../../platform/key-assertions';
import { parseStrictJson } from '../../platform/strict-json';
import type { TokenClaims } from '../../platform/token-keys';
import { unauthorized } from '../access-tokens/tokens';
import { verifyRecoveryKey } from '../credentials/factors';
import { attestAll, type NewCredentials } from '../credentials/new-credentials';
import type { Mailing } from '../mails/mails';
import { tellConcerned } from './notices';
import { isHere, RecoveryData, type RecoveryServices, recoveryKeyOf, recoveryUnusable } from './recovery';
import { replaceCredentials, startOfRecovery } from './waiting-recoveries';

type Completion = { readonly credentialAssertion: KeyAssertion; readonly newCredentials: NewCredentials };
type Begun = Pick<RecoveryEntity, 'id' | 'kind' | 'credentialUuid' | 'begunBy'>;

/**
 * Completes a recovery, once per token. The new credentials replace all other credentials immediately, or at the returned date
 * after the organisation's waiting time. Throws `AttestationInvalid`. Throws `Unauthorized` for a used token or an invalid
 * signature. Throws `CredentialUnusable` for a credential other than the recovery key that began the recovery. Throws
 * `WrongState` while another recovery of the user is waiting.
 */
export async function completeRecovery(services: RecoveryServices, ceremony: TokenClaims, completion: Completion) {
  const { orgId, userId, id: challengeId } = ceremony;
  const reader = services.db.read(orgId);
  const [open, credentials] = await Promise.all([
    challengeStore.findOpen(reader, challengeId, 'Recovery'),
    credentialStore.listUsable(reader, userId, undefined),
  ]);
  if (open?.userId !== userId) throw unauthorized();
  const { sealedSeed, ...begun } = RecoveryData.parse(open.data);
  const { credentialAssertion, newCredentials } = completion;
  const key = recoveryKeyOf(credentials, credentialAssertion.credId);
  if (key?.id !== begun.credentialUuid) throw recoveryUnusable();
  if (!(await signs(orgId, key, completion))) throw unauthorized();
  const attested = await attestAll(services, orgId, { challenge: open.challenge, sealedSeed }, newCredentials);
  const [{ kind, name }] = attested;
  const uuid = newId('credential');
  const prepared = attested.map((one, index) => ({ id: index === 0 ? uuid : newId('credential'), ...one }));

  const { answer, rows } = await services.db.withOrg(orgId, async (tx) => {
    const user = await userStore.lock(tx, userId);
    if (!user || !isHere(user) || !(await challengeStore.consume(tx, challengeId))) throw unauthorized();
    if (!(await credentialStore.isUsable(tx, key.id))) throw unauthorized();
    const { settings } = await organizationStore.row(tx, orgId);
    const waitHours = hoursNow(settings, 'recoveryWaitHours', await tx.clock());
    const recovery = { id: newId('recovery'), kind: 'RecoveryKey', ...begun } as const;
    const end = await carryOut(tx, services, user, recovery, prepared, waitHours * HOUR_MS);
    return {
      rows: end.rows,
      answer: {
        credential: { uuid, kind, name },
        user: { id: userId, username: user.username, orgId },
        ...(end.dateEffective ? { recovery: { id: recovery.id, dateEffective: end.dateEffective.toISOString() } } : {}),
      },
    };
  });
  for (const row of rows) void services.dispatcher.tryNow(orgId, row);
  return answer;
}

/**
 * Whether the recovery key has signed these new credentials. The published interface requires that the challenge in the
 * assertion's client data is the JSON of the credentials. The spacing of the JSON does not matter.
 */
async function signs(
  orgId: string,
  key: CredentialEntity,
  { credentialAssertion, newCredentials }: Completion,
): Promise<boolean> {
  const client = readClientData(credentialAssertion.clientData, 'key.get');
  const signed = client && parseStrictJson(Buffer.from(client.challenge, 'base64url'));
  if (!client || !signed?.ok || !isDeepStrictEqual(signed.value, newCredentials)) return false;
  return verifyRecoveryKey({ orgId, challenge: client.challenge, usable: [key] }, credentialAssertion);
}

type CarriedOut = { readonly rows: readonly Dispatch[]; readonly dateEffective?: Date };

async function carryOut(
  tx: Tx,
  services: Mailing,
  user: UserEntity,
  begun: Begun,
  prepared: readonly PreparedCredential[],
  waitMs: number,
): Promise<CarriedOut> {
  if (await recoveryStore.areTaken(tx, prepared)) {
    throw new AppError('AttestationInvalid', 'The credential id is already in use');
  }
  const now = await tx.clock();
  const { id: userId, username } = user;
  if (waitMs === 0) {
    const applied = { status: 'Applied', newCredentials: [], dateEffective: now, dateEnded: now } as const;
    // An earlier recovery may still wait, because the waiting time was longer when that recovery began. A new recovery must not
    // take effect first.
    if (await recoveryStore.waitingOf(tx, userId)) throw alreadyWaiting();
    await recoveryStore.add(tx, { ...begun, ...applied, userId });
    await replaceCredentials(tx, user, prepared);
    return { rows: await tellConcerned(tx, services, user, { template: 'RecoveryCompleted', data: { username } }) };
  }
  const dateEffective = new Date(now.getTime() + waitMs);
  const waiting = { status: 'Waiting', newCredentials: prepared, dateEffective } as const;
  if (!(await recoveryStore.add(tx, { ...begun, ...waiting, userId }))) throw alreadyWaiting();
  const start = startOfRecovery(begun.id);
  await outboxStore.add(tx, start);
  const data = { username, dateEffective: dateEffective.toISOString() };
  const mails = await tellConcerned(tx, services, user, { template: 'RecoveryStarted', data });
  return { rows: [start, ...mails], dateEffective };
}

const alreadyWaiting = () => new AppError('WrongState', 'Another recovery of this user is waiting');
