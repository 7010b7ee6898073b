import { type Claims, mayTake } from '../state/claims';
import { refuseOnDeviceUnless } from './device-refusal';
import type { JudgedRequest } from './judged-request';
import type { PreparedRequest } from './prepare-request';

export const requestClaim = (orgId: string, requestId: string): string => `request ${orgId} ${requestId}`;

type Known = Pick<Claims, 'usesOf' | 'ofRequest' | 'replacementsOf'>;
type Replacing = Pick<JudgedRequest, 'signed' | 'claims'>;

/** The request that this one replaces, with the words whether this device has signed it. Empty for any other request. */
export function replacementLines(
  { signed: { orgId, replaces } }: Replacing,
  { usesOf }: Pick<Known, 'usesOf'>,
): readonly string[] {
  if (replaces === undefined) return [];
  if (usesOf(requestClaim(orgId, replaces)).length === 0)
    return [`Replaces: request ${replaces}, which this device has not signed`];
  return [`REPLACES a payment that this device has signed: request ${replaces}`, 'Only one of the two payments can confirm.'];
}

/**
 * The requests signed here that compete with the request on chain: the requests that it replaces in turn, and all that replace
 * them.
 */
function competing(request: string, { ofRequest, replacementsOf }: Omit<Known, 'usesOf'>): readonly string[] {
  const found = new Set([request]);
  // A set also visits what is added during the loop.
  for (const one of found) {
    const replaced = ofRequest(one).flatMap(({ replaces, takesLeft }) => (takesLeft ? [] : (replaces ?? [])));
    for (const other of [...replaced, ...replacementsOf(one)]) found.add(other);
  }
  return [...found].filter((one) => ofRequest(one).length > 0);
}

/**
 * Throws a `DeviceRefusal` unless one and the same claim is used up by this replacement and by every payload with which it
 * competes. Otherwise two of them could execute. A payment of its own, which spends coins that a dead payment has left, only shares a
 * claim with the dead payment.
 */
export function assertShared({ signed: { requestId: own, replaces, takesLeft }, claims }: Replacing, known: Known): void {
  if (replaces === undefined) return;
  const rivals = takesLeft ? [replaces].filter((one) => known.ofRequest(one).length > 0) : competing(replaces, known);
  const others = rivals.filter((one) => one !== own);
  const isOfAll = (claim: string) => others.every((one) => known.usesOf(claim).some(({ requestId }) => requestId === one));
  refuseOnDeviceUnless(others.length === 0 || claims.some(isOfAll), 'ReplacesNothing');
}

/**
 * The rule of the signing log of the signer: all payloads of one payment use up one claim, and a replacement takes claims over from
 * no request but the one that it replaces. Only what one payload uses up on chain can be taken over. Throws a `DeviceRefusal` before anything is
 * kept, so that a refused request uses up nothing.
 */
export function takeClaims({ request, judged, claims }: PreparedRequest, known: Claims): void {
  const { usesOf, record } = known;
  const { requestId, operationId } = request;
  const { payloadDigest, replaces, takesLeft } = judged.signed;
  assertShared(judged, known);
  const taken = claims.map((claim) => ({
    ...{ claim, payloadDigest, requestId, operationId },
    ...(replaces !== undefined && judged.claims.includes(claim) ? { replaces, ...(takesLeft ? { takesLeft } : {}) } : {}),
  }));
  refuseOnDeviceUnless(
    taken.every((one) => mayTake(usesOf(one.claim), one)),
    'ClaimTaken',
  );
  for (const one of taken) record(one);
}
