import { type Claims, mayTake } from '../state/claims';
import { refuseOnDeviceUnless } from './device-refusal';
import type { JudgedRequest } from './judged-request';
import type { PreparedRequest } from './prepare-request';

export const requestClaim = (orgId: string, requestId: string): string => `request ${orgId} ${requestId}`;

type Known = Pick<Claims, 'usesOf'>;
type Replacing = Pick<JudgedRequest, 'signed' | 'claims'>;

/** The request that this one replaces, with the words whether this device has signed it. Empty for any other request. */
export function replacementLines({ signed: { orgId, replaces } }: Replacing, { usesOf }: Known): readonly string[] {
  if (replaces === undefined) return [];
  if (usesOf(requestClaim(orgId, replaces)).length === 0)
    return [`Replaces: request ${replaces}, which this device has not signed`];
  return [`REPLACES a payment that this device has signed: request ${replaces}`, 'Only one of the two payments can confirm.'];
}

/** Throws a `DeviceRefusal` for a replacement without a shared claim, because it could execute in addition to the original. */
export function assertShared({ signed: { orgId, replaces }, claims }: Replacing, { usesOf }: Known): void {
  if (replaces === undefined || usesOf(requestClaim(orgId, replaces)).length === 0) return;
  const isShared = claims.some((claim) => usesOf(claim).some(({ requestId }) => requestId === replaces));
  refuseOnDeviceUnless(isShared, 'ReplacesNothing');
}

/**
 * The rule of the signing log of the signer: a replacement shares a claim with the payload that it replaces, and takes claims over
 * from no other request. Only what one payload uses up on chain can be taken over. Throws a `DeviceRefusal` before anything is
 * kept, so that a refused request uses up nothing.
 */
export function takeClaims({ request, judged, claims }: PreparedRequest, { usesOf, record }: Claims): void {
  const { requestId, operationId } = request;
  const { payloadDigest, replaces } = judged.signed;
  assertShared(judged, { usesOf });
  const taken = claims.map((claim) => ({
    ...{ claim, payloadDigest, requestId, operationId },
    ...(replaces !== undefined && judged.claims.includes(claim) ? { replaces } : {}),
  }));
  refuseOnDeviceUnless(
    taken.every((one) => mayTake(usesOf(one.claim), one)),
    'ClaimTaken',
  );
  for (const one of taken) record(one);
}
