import { z } from 'zod';
import type { SealedKeyRow } from '../protocol';

/** The source of a key that was not drawn at random. */
export const Origin = z.union([
  z.strictObject({ parentKeyId: z.string(), path: z.string() }),
  z.strictObject({ importedBy: z.string() }),
]);
export type Origin = z.infer<typeof Origin>;

/** Several ids may name the same key, so only the public key identifies the key. */
export type KnownKey = Pick<SealedKeyRow, 'orgId' | 'keyId' | 'curve' | 'publicKeyHex'>;

/**
 * `same` are the ids of this key. `above` are the ids of the keys from which this key can be derived. `below` are the ids of
 * the keys that can be derived from this key.
 */
type KinIds = { readonly same: readonly string[]; readonly above: readonly string[]; readonly below: readonly string[] };
/** The same relations between secrets (`secretOf`). */
export type Kin = KinIds & { readonly secrets: KinIds };

/**
 * The last hex digits of a public key, which identify a secret. On secp256k1 these digits are the x coordinate, which public
 * keys of 32 and of 33 bytes share. On other curves these digits are the whole public key.
 */
const COORDINATE_CHARS = 64;
/**
 * Identifies one secret under every scheme. The parity byte of a compressed point is left out, because the byte only
 * distinguishes a secret from its negation.
 */
export const secretOf = ({ orgId, curve, publicKeyHex }: Omit<KnownKey, 'keyId'>) =>
  `${orgId} ${curve} ${publicKeyHex.slice(-COORDINATE_CHARS)}`;

/** The ids in `from`, and every id to which `next` leads in one or more steps. */
function reached(from: Iterable<string>, next: (id: string) => Iterable<string>): readonly string[] {
  const found = new Set(from);
  // Iterating a Set also visits the members that are added during the iteration.
  for (const id of found) for (const more of next(id)) found.add(more);
  return [...found];
}

const addTo = (sets: Map<string, Set<string>>, name: string, id: string) => sets.set(name, (sets.get(name) ?? new Set()).add(id));

export function createKinship() {
  const secretById = new Map<string, string>();
  const idsBySecret = new Map<string, Set<string>>();
  const origins = new Map<string, Origin>();
  const children = new Map<string, Set<string>>();

  const parentOf = (keyId: string): readonly string[] => {
    const origin = origins.get(keyId);
    return origin && 'parentKeyId' in origin ? [origin.parentKeyId] : [];
  };
  const idsWith = (key: Omit<KnownKey, 'keyId'>): Iterable<string> => idsBySecret.get(secretOf(key)) ?? [];
  const aliases = (keyId: string): Iterable<string> => idsBySecret.get(secretById.get(keyId) ?? '') ?? [];
  const secretsOf = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => secretById.get(id) ?? []);

  return {
    add(sealed: SealedKeyRow): void {
      secretById.set(sealed.keyId, secretOf(sealed));
      addTo(idsBySecret, secretOf(sealed), sealed.keyId);
    },
    addOrigin(keyId: string, origin: Origin): void {
      origins.set(keyId, origin);
      if ('parentKeyId' in origin) addTo(children, origin.parentKeyId, keyId);
    },
    originOf: (keyId: string): Origin | undefined => origins.get(keyId),
    isChild: (keyId: string): boolean => parentOf(keyId).length > 0,
    idsWith,
    kinOf(key: KnownKey): Kin {
      const same = reached([key.keyId, ...idsWith(key)], aliases);
      const along = (next: (id: string) => Iterable<string>) =>
        reached(same, (id) => [...aliases(id), ...next(id)]).filter((id) => !same.includes(id));
      const kin = { same, above: along(parentOf), below: along((id) => children.get(id) ?? []) };
      const secrets = { same: [secretOf(key), ...secretsOf(same)], above: secretsOf(kin.above), below: secretsOf(kin.below) };
      return { ...kin, secrets };
    },
  };
}
