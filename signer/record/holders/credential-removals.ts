import type { Holder } from '../../charters/charter';
import type { Index } from '../journal/index-store';

export type HeldCredentials = Holder['credentials'];
/**
 * Removes a credential of an end user from each key for which the credential `by` is accepted too. With `by: null`, a member of
 * the charter has removed the credential from all keys of the end user.
 */
export type CredentialRemoval = {
  readonly credentialId: string;
  readonly by: Pick<HeldCredentials[number], 'id' | 'publicKey'> | null;
};

/**
 * An end user has only a few different sets of credentials. If the service names more sets, the credentials of the additional
 * sets cannot remove anything.
 */
const SETS_MAX = 100;
export const holderSetsName = (orgId: string, userId: string) => `holder-sets/${orgId}/${userId}`;
export const holderRemovalsName = (orgId: string, userId: string) => `holder-removals/${orgId}/${userId}`;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The credentials that are still accepted. The last credential stays, because the funds of a key without credentials could never
 * be moved.
 */
export function standing(credentials: HeldCredentials, removals: readonly CredentialRemoval[]): HeldCredentials {
  let left = credentials;
  for (const { credentialId, by } of removals) {
    const mayRemove = by === null || left.some(({ id, publicKey }) => id === by.id && publicKey === by.publicKey);
    const others = left.filter(({ id }) => id !== credentialId);
    if (mayRemove && others.length > 0) left = others;
  }
  return left;
}

type Facts = Pick<Index, 'get' | 'put'>;
export type EndUser = { readonly orgId: string; readonly userId: string };

export function addHolderSet(index: Facts, orgId: string, { userId, credentials }: Holder): void {
  const sets = index.get<readonly HeldCredentials[]>(holderSetsName(orgId, userId)) ?? [];
  if (sets.length < SETS_MAX && !sets.some((set) => isSame(set, credentials)))
    index.put(holderSetsName(orgId, userId), [...sets, credentials]);
}

export function addRemovals(index: Facts, { orgId, userId }: EndUser, removals: readonly CredentialRemoval[]): void {
  const known = index.get<readonly CredentialRemoval[]>(holderRemovalsName(orgId, userId)) ?? [];
  index.put(holderRemovalsName(orgId, userId), [
    ...known,
    ...removals.filter((one) => !known.some((other) => isSame(one, other))),
  ]);
}
