import { z } from 'zod';
import { type FLEET_CURVES, PROVISIONERS_MAX, PROVISIONERS_MIN } from '../../domain/fleets';
import { digestOf } from '../canonical';
import { Card, isSoundCard } from './cards';
import { BySigner, Digest, isStated } from './statement';

export const FLEET_DEVICES_MAX = 16;
export const FLEET_OPERATORS_MAX = 64;
/** The index of a key is a hardened level of SLIP-10. */
export const KEY_INDEX_MAX = 2 ** 31 - 1;

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const Count = z.int().min(0).max(KEY_INDEX_MAX);

/**
 * Who belongs to the fleet of one offline store, and how many keys its devices have derived. Devices, provisioners and the
 * service keep the newest manifest. `previous` is the digest of the manifest before.
 */
export const FleetManifest = z.strictObject({
  v: z.literal(1),
  n: z.int().min(0),
  previous: Digest.nullable(),
  orgId: Id,
  storeId: Id,
  fleetId: Id,
  threshold: z.int().min(PROVISIONERS_MIN).max(PROVISIONERS_MAX),
  provisioners: z.array(Card).min(PROVISIONERS_MIN).max(PROVISIONERS_MAX),
  devices: z.array(Card).min(1).max(FLEET_DEVICES_MAX),
  operators: z.array(Card).max(FLEET_OPERATORS_MAX),
  /** HMAC-SHA-256 of the master secret over `commit`, which shows that two devices have the same secret. */
  masterCommitment: Digest,
  /** The number of keys derived so far; the index of the next key. */
  ranges: z.strictObject({ secp256k1: Count, ed25519: Count } satisfies Record<keyof typeof FLEET_CURVES, z.ZodType>),
});
export type FleetManifest = z.infer<typeof FleetManifest>;

/** The acting device signs each manifest. Provisioners sign as well if the members or the holders of shares change. */
export const SignedManifest = z.strictObject({
  manifest: FleetManifest,
  signatures: z
    .array(BySigner)
    .min(1)
    .max(1 + PROVISIONERS_MAX),
});
export type SignedManifest = z.infer<typeof SignedManifest>;

export const manifestDigest = (manifest: FleetManifest): string => digestOf(manifest);

/** The provisioners of `members` that signed; a second signature by one provisioner does not count. */
export const provisionersWhoSigned = (
  { manifest, signatures }: SignedManifest,
  members: Pick<FleetManifest, 'provisioners'>,
): ReadonlySet<string> => {
  const keys = new Set(members.provisioners.map(({ signingKey }) => signingKey));
  return new Set(signatures.filter((one) => keys.has(one.by) && isStated('manifest', manifest, one)).map(({ by }) => by));
};

export const isSignedByDevice = ({ manifest, signatures }: SignedManifest, deviceKey: string): boolean =>
  signatures.some((one) => one.by === deviceKey && isStated('manifest', manifest, one));

/** True if every card is sound and has its role, and no key or serial number stands for two members. */
export function areSoundMembers({ provisioners, devices, operators, threshold }: FleetManifest): boolean {
  const roles = [
    ['Provisioner', provisioners],
    ['Device', devices],
    ['Operator', operators],
  ] as const;
  const cards = roles.flatMap(([, list]) => list);
  return (
    threshold <= provisioners.length &&
    roles.every(([role, list]) => list.every((card) => card.role === role && isSoundCard(card))) &&
    new Set(cards.flatMap(({ signingKey, sealingKey }) => [signingKey, sealingKey])).size === 2 * cards.length &&
    roles.every(([, list]) => new Set(list.map(({ serial }) => serial)).size === list.length)
  );
}
