import { z } from 'zod';
import { canonical, digestOf } from '../canonical';
import { Digest } from './statement';

/** The orders by which the signer releases a payload to an offline device in place of signing it. */
export const VOUCH_OPS = ['vouchTransfer', 'vouchUtxo', 'vouchSolana', 'vouchPayload'] as const;
export type VouchOp = (typeof VOUCH_OPS)[number];

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** The greatest length of a vouch, which lists the claims of up to 250 coins. */
export const VOUCH_CHARS_MAX = 65_536;

/**
 * The signer has judged the order in full and has recorded its claims as if it had signed. `orderDigest` is the digest of
 * `travellingText`. `claims` are the nonces, coins or durable nonces that the payload uses up. `dateVouched` is the date of the
 * first vouch for the request.
 */
export const Vouch = z.strictObject({
  v: z.literal(1),
  signerId: Id,
  orgId: Id,
  storeId: Id,
  groupId: Id,
  requestId: Id,
  op: z.enum(VOUCH_OPS),
  keyId: Id,
  publicKey: z.string().regex(/^(?:[0-9a-f]{64}|0[23][0-9a-f]{64})$/),
  orderDigest: Digest,
  payloadDigest: Digest,
  claims: z.array(z.string().min(1).max(256)),
  dateVouched: z.iso.datetime(),
});
export type Vouch = z.infer<typeof Vouch>;

type Body = Parameters<typeof canonical>[0];
type Order = Readonly<Record<string, unknown>>;

/** These members change with each attempt or group, and no person has signed them. */
export const NOT_TRAVELLING = { issuedAt: true, notAfter: true, store: true, attested: true, policyEpoch: true } as const;

/**
 * The order as it travels to the device: canonical JSON of the order to vouch, without the members that only concern the signer's
 * judgement. A repeated order for the same request therefore has the same text.
 */
export function travellingText(order: Order): string {
  const kept = Object.entries(order).filter(([name, value]) => value !== undefined && !Object.hasOwn(NOT_TRAVELLING, name));
  return canonical(JSON.parse(JSON.stringify(Object.fromEntries(kept))) as Body);
}

export const travellingDigest = (order: Order): string => digestOf(JSON.parse(travellingText(order)) as Body);
