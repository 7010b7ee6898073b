import type { Tx } from '../../entities/database';
import { oidcStore } from '../../entities/oidc/oidc.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { userStore } from '../../entities/users/user.store';
import type { ProvidedIdentity } from '../../platform/identity-providers';
import { newId } from '../../platform/ids';

export type Welcome = {
  readonly kinds: readonly UserEntity['kind'][];
  /** Undefined if any verified address is allowed. */
  readonly emailDomains?: readonly string[];
  /** Undefined if unknown people are not admitted. */
  readonly newcomer?: Pick<UserEntity, 'kind' | 'isSsoRequired'> | undefined;
};

const NAME_CHARS_MAX = 100;
/** The pattern must run before case folding, because a character such as the kelvin sign folds to a `k`. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/;

/**
 * Returns undefined, without a reason, if the identity may not sign in. If issuer and subject are bound to a user who is not
 * archived, only that user can sign in. Otherwise the mail address decides. The address must be verified and belong to an allowed
 * domain. A user has only one subject per issuer. A later owner of a mail address therefore cannot sign in as the earlier user.
 */
export async function personOf(tx: Tx, identity: ProvidedIdentity, welcome: Welcome): Promise<UserEntity | undefined> {
  const bound = await oidcStore.findBound(tx, identity);
  if (bound && bound.dateArchived === null) return usable(bound, welcome);
  const email = allowedAddress(identity, welcome);
  if (email === undefined) return undefined;
  const named = (await oidcStore.findNamed(tx, email)) ?? (await newcomer(tx, email, bound !== undefined, identity, welcome));
  const person = named && usable(named, welcome);
  if (!person) return undefined;
  if (bound) return (await oidcStore.rebind(tx, identity, person.id)) ? person : undefined;
  if (await oidcStore.bind(tx, identity, person.id)) return person;
  // A concurrent sign-in was first: the same person in another window, or another subject with the same address.
  return (await oidcStore.findBound(tx, identity))?.id === person.id ? person : undefined;
}

const usable = (user: UserEntity, { kinds }: Welcome): UserEntity | undefined =>
  user.isActive && !user.isServiceAccount && kinds.includes(user.kind) ? user : undefined;

function allowedAddress({ email }: ProvidedIdentity, { emailDomains }: Welcome): string | undefined {
  if (email === undefined || !ADDRESS.test(email)) return undefined;
  const address = email.toLowerCase();
  const isAllowed = emailDomains === undefined || emailDomains.includes(address.slice(address.indexOf('@') + 1));
  return isAllowed ? address : undefined;
}

/** An archived user can sign in again only after an administrator has created the user again. */
async function newcomer(
  tx: Tx,
  username: string,
  wasBound: boolean,
  { name }: ProvidedIdentity,
  { newcomer: becomes }: Welcome,
): Promise<UserEntity | undefined> {
  if (!becomes || wasBound || (await oidcStore.wasArchived(tx, username))) return undefined;
  const called = name?.slice(0, NAME_CHARS_MAX) || username;
  await userStore.add(tx, {
    id: newId('user'),
    username,
    name: called,
    isRegistered: false,
    isServiceAccount: false,
    ...becomes,
  });
  return oidcStore.findNamed(tx, username);
}
