import type { Holder } from '../../charters/charter';
import { refuseUnless } from '../../wire/refusal';
import type { AdoptedCharter } from '../charter-entries';
import { type Evidence, recorded } from '../evidence';
import type { Journal } from '../journal/journal';
import { actionName } from '../signing-entries';
import {
  type CredentialRemoval,
  type EndUser,
  type HeldCredentials,
  holderRemovalsName,
  holderSetsName,
  standing,
} from './credential-removals';
import type { HolderCredentialRemovedEntry } from './holder-entries';

export interface HolderCredentials {
  /** The holder with the credentials that are still accepted. */
  standingOf<H extends Holder>(orgId: string, holder: H): H;
  /**
   * The credentials of all keys of the end user, including removed credentials. Returns only the first of two credentials with
   * the same id.
   */
  known(user: EndUser): HeldCredentials;
  /**
   * The effect that the last removal would have after the other removals. `Absent`: the credential is not accepted for any key of
   * the end user. `Kept`: the credential is accepted for at least one key, and the removal would change nothing. Each such key
   * has no other credential, or `by` is not accepted for the key.
   */
  effectOf(user: EndUser, removals: readonly CredentialRemoval[]): 'Removed' | 'Absent' | 'Kept';
  /** Resolves once the removal is durable. Throws a `Refusal` if the signed action was used before. */
  remove(entry: Omit<HolderCredentialRemovedEntry, 'kind'>, evidence: readonly Evidence[]): Promise<AdoptedCharter>;
}

export function createHolderCredentials({ index, append }: Pick<Journal, 'index' | 'append'>): HolderCredentials {
  const setsOf = ({ orgId, userId }: EndUser) => index.get<readonly HeldCredentials[]>(holderSetsName(orgId, userId)) ?? [];
  const removalsOf = ({ orgId, userId }: EndUser) =>
    index.get<readonly CredentialRemoval[]>(holderRemovalsName(orgId, userId)) ?? [];
  return {
    standingOf: (orgId, holder) => ({
      ...holder,
      credentials: standing(holder.credentials, removalsOf({ orgId, userId: holder.userId })),
    }),
    known(user) {
      const found = new Map<string, HeldCredentials[number]>();
      for (const credential of setsOf(user).flat()) if (!found.has(credential.id)) found.set(credential.id, credential);
      return [...found.values()];
    },
    effectOf(user, removals) {
      const [before, last] = [removals.slice(0, -1), removals.slice(-1)];
      const sets = setsOf(user)
        .map((set) => standing(set, [...removalsOf(user), ...before]))
        .filter((set) => set.some(({ id }) => id === last[0]?.credentialId));
      if (sets.length === 0) return 'Absent';
      return sets.some((set) => standing(set, last).length < set.length) ? 'Removed' : 'Kept';
    },
    async remove(entry, evidence) {
      const { orgId, action, sequence, digest } = entry;
      refuseUnless(index.get(actionName(orgId, action)) === undefined, 'ActionUsed');
      await append({ kind: 'HolderCredentialRemoved', ...entry }, recorded(evidence));
      return { sequence, digest };
    },
  };
}
