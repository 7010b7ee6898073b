import { randomBytes } from 'node:crypto';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../domain/credentials';
import type { ChallengeEntity } from '../../entities/challenges/challenge.entity';
import { challengeStore } from '../../entities/challenges/challenge.store';
import type { CredentialEntity } from '../../entities/credentials/credential.entity';
import { type SignInAccount, signInStore } from '../../entities/users/sign-in.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { NOBODYS_KEYS } from '../../platform/decoy-credentials';
import { newId } from '../../platform/ids';
import type { TokenKeys } from '../../platform/token-keys';
import { unauthorized } from '../access-tokens/tokens';
import { type Factors, type FirstFactor, type SecondFactor, useFactors, verifyFactors } from '../credentials/factors';
import type { Services } from '../services';
import { signingChallengeView } from '../user-actions/challenge-view';
import type { IdentityServices } from '../users/identity-services';
import { redeemCode } from './one-time-codes';
import { openSession, ssoClientId } from './sessions';

type LoginServices = Pick<Services, 'db'> & IdentityServices & { readonly tokens: TokenKeys };

/** Without `username`, the owner of the presented passkey logs in. */
type Asked = { readonly orgId: string; readonly username?: string | undefined; readonly loginCode?: string | undefined };

/**
 * A user who must sign in through an identity provider receives, instead of a token, the id of this service's client at that
 * provider.
 */
type LoggedIn = { readonly token: string } | { readonly ssoClientId: string };

const SIGNING_WINDOW_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;
const KINDS = Object.keys(CREDENTIAL_KINDS) as CredentialKind[];
const NO_ACCOUNT: SignInAccount = { user: undefined, credentials: [] };
/** An id that no user has. */
const NOBODYS_ID = '';

/**
 * A user who does not exist or cannot log in also gets a stored challenge, and the same decoy credentials each time. A different
 * response would reveal which users exist. A valid code adds the encrypted private keys to the response, and is used up. Throws
 * `Unauthorized` for an invalid code.
 */
export async function beginLogin(services: LoginServices, { orgId, username, loginCode }: Asked) {
  const { db, tokens, relyingParty, decoys } = services;
  const { user, credentials } = username === undefined ? NO_ACCOUNT : await signInStore.findNamed(db.read(orgId), username);
  const id = newId('challenge');
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const { dateExpires, isAllowed } = await db.withOrg(orgId, async (tx) => {
    const until = new Date((await tx.clock()).getTime() + SIGNING_WINDOW_MS);
    const data = { isOpen: username === undefined };
    await challengeStore.add(tx, { id, kind: 'Login', userId: user?.id ?? null, challenge, data, dateExpires: until });
    const owner = { userId: user?.id ?? NOBODYS_ID, purpose: 'Login' as const };
    return { dateExpires: until, isAllowed: loginCode === undefined || (await redeemCode(tx, services, owner, loginCode)) };
  });
  if (!isAllowed) throw unauthorized();
  // The user's id would reveal that the user exists, so `userId` in the token is the id of the challenge.
  const challengeIdentifier = await tokens.sign('ceremony', { id, userId: id, orgId }, dateExpires);
  const isThere = credentials.some(({ kind }) => isFirst(kind));
  const shown = isThere || username === undefined ? credentials : decoys(orgId, username).map(withoutKey);
  return { challenge, challengeIdentifier, ...signingChallengeView(shown, relyingParty, loginCode !== undefined, KINDS) };
}

/**
 * Throws the same `Unauthorized` for every fault. The verification takes as long for an unknown user as for a known user. Only a
 * user who has proved their identity learns that they must sign in through an identity provider.
 */
export async function completeLogin(services: LoginServices, challengeIdentifier: string, factors: Factors): Promise<LoggedIn> {
  const claims = await services.tokens.verify('ceremony', challengeIdentifier);
  if (!claims) throw unauthorized();
  const { id, orgId } = claims;
  const reader = services.db.read(orgId);
  const { challenge, user, credentials } = await signInStore.findChallenged(reader, id, credentialIdOf(factors.firstFactor));
  if (!challenge) throw unauthorized();
  const usable = [...credentials, ...standIns(credentials, factors)];
  const verified = await verifyFactors(services, { orgId, challenge: challenge.challenge, usable }, factors);
  if (!verified || !user || !isMeant(challenge, user, factors.firstFactor)) throw unauthorized();
  const openedBy = verified.first.credentialUuid;

  return services.db.withOrg(orgId, async (tx) => {
    // Locks the user before the challenge, in the same order as a recovery. The opposite order could deadlock.
    const person = await signInStore.hold(tx, user.id);
    if (!person || !(await challengeStore.consume(tx, id)) || !(await useFactors(tx, verified))) throw unauthorized();
    if (!person.isSsoRequired) return { token: await openSession(tx, services.tokens, person.id, openedBy) };
    const clientId = await ssoClientId(tx);
    if (clientId === undefined) throw unauthorized();
    return { ssoClientId: clientId };
  });
}

const isFirst = (kind: CredentialKind): boolean => ['first', 'either'].includes(CREDENTIAL_KINDS[kind].factor);

const withoutKey = <T extends object>(decoy: T) => ({ ...decoy, encryptedPrivateKey: null });

const credentialIdOf = (factor: FirstFactor | SecondFactor | undefined): string =>
  factor && 'credentialAssertion' in factor ? factor.credentialAssertion.credId : '';

/**
 * For a login without a username, the first factor must be a passkey. If the authenticator returns a user handle, the bytes of
 * the handle must then be the id of this user (WebAuthn §7.2 step 6).
 */
function isMeant({ data }: ChallengeEntity, user: UserEntity, factor: FirstFactor): boolean {
  if (data['isOpen'] !== true) return true;
  if (factor.kind !== 'Fido2') return false;
  const { userHandle } = factor.credentialAssertion;
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString('utf8') === user.id;
}

/** A verification with a stand-in always fails, but takes as long as a verification with a real credential. */
function standIns(credentials: readonly CredentialEntity[], { firstFactor, secondFactor }: Factors): CredentialEntity[] {
  return [firstFactor, secondFactor].flatMap((factor, index) => {
    if (!factor || !('credentialAssertion' in factor)) return [];
    const { kind, credentialAssertion } = factor;
    if (credentials.some((one) => one.kind === kind && one.credentialId === credentialAssertion.credId)) return [];
    return [nobodys(kind, credentialAssertion.credId, `${index}`)];
  });
}

const nobodys = (kind: 'Fido2' | 'Key' | 'PasswordProtectedKey', credentialId: string, id: string): CredentialEntity => ({
  orgId: '',
  id,
  userId: NOBODYS_ID,
  kind,
  credentialId,
  name: '',
  publicKey: kind === 'Fido2' ? NOBODYS_KEYS.Fido2 : NOBODYS_KEYS.Key,
  isActive: false,
  dateCreated: new Date(0),
  encryptedPrivateKey: null,
  secret: null,
  signCount: '0',
  lastStep: null,
  relyingPartyId: '',
  origin: '',
  isTokenBound: false,
  dateRemoved: null,
});
