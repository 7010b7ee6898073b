import type { Index } from './journal/index-store';
import { childrenOf, type KeyRecord, type KnownKey, keyName, secretName, secretOf } from './key-entries';

/** `same` are the ids of this key. `above` are the ids of the keys from which this key can be derived. */
type KinIds = { readonly same: readonly string[]; readonly above: readonly string[] };
/** `secrets` has the same two lists, with the names of the secrets (`secretOf`) instead of key ids. */
export type Kin = KinIds & { readonly secrets: KinIds };

/** The ids in `from`, and every id to which `next` leads in one or more steps. */
function reached(from: Iterable<string>, next: (id: string) => Iterable<string>): readonly string[] {
  const found = new Set(from);
  // Iterating a Set also visits the members that are added during the iteration.
  for (const id of found) for (const more of next(id)) found.add(more);
  return [...found];
}

export function createKinship(index: Pick<Index, 'get'>) {
  const recordOf = (keyId: string) => index.get<KeyRecord>(keyName(keyId));
  const idsWith = (key: Omit<KnownKey, 'keyId'>) => index.get<readonly string[]>(secretName(secretOf(key))) ?? [];
  const parentOf = (keyId: string): readonly string[] => {
    const origin = recordOf(keyId)?.origin;
    return origin && 'parentKeyId' in origin ? [origin.parentKeyId] : [];
  };
  const aliases = (keyId: string): readonly string[] => {
    const known = recordOf(keyId);
    return known ? idsWith(known.sealed) : [];
  };
  const sameAs = (key: KnownKey) => reached([key.keyId, ...idsWith(key)], aliases);
  const along = (same: readonly string[], next: (id: string) => Iterable<string>) =>
    reached(same, (id) => [...aliases(id), ...next(id)]).filter((id) => !same.includes(id));
  const secretsOf = (ids: readonly string[]): readonly string[] =>
    ids.flatMap((id) => {
      const known = recordOf(id);
      return known ? [secretOf(known.sealed)] : [];
    });

  return {
    originOf: (keyId: string) => recordOf(keyId)?.origin,
    isChild: (keyId: string): boolean => parentOf(keyId).length > 0,
    idsWith,
    kinOf(key: KnownKey): Kin {
      const same = sameAs(key);
      const above = along(same, parentOf);
      return { same, above, secrets: { same: [secretOf(key), ...secretsOf(same)], above: secretsOf(above) } };
    },
    /** The ids and the secrets of the keys that can be derived from this key. */
    descendantsOf(key: KnownKey) {
      const ids = along(sameAs(key), (id) => childrenOf(index, id));
      return { ids, secrets: secretsOf(ids) };
    },
  };
}
