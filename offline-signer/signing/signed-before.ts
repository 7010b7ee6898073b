import { type AskedOrder, isPayload } from '../../signer/judging/people/asked-order';
import { repeatableOf } from '../../signer/judging/people/without-person';
import type { LoggedRequest, Signed } from '../../signer/record/signing-entries';
import type { Claims } from '../state/claims';

const nameOf = ({ orgId, requestId }: LoggedRequest): string => `content ${orgId} ${requestId} `;

/** The content of a payment, the number of its claims on chain, and its highest fee, for a later payment with another fee. */
export function contentClaims(asked: AskedOrder, signed: Signed): readonly string[] {
  const repeatable = repeatableOf(asked, signed);
  if (isPayload(asked) || repeatable === undefined) return [];
  const { contentDigest, claims } = repeatable;
  return [`${nameOf(signed)}${contentDigest} ${claims} ${asked.order.feeCeilingUnits}`];
}

/**
 * The log of claims as the signing log for the judgement of people. A repetition is only known with the same ceiling for the fee
 * or a lower one, because no person asks for it again.
 */
export const signedBefore = (asked: AskedOrder, { usesOf, ofRequest }: Pick<Claims, 'usesOf' | 'ofRequest'>) => ({
  repeatable(request: LoggedRequest): Signed['repeatable'] {
    const name = nameOf(request);
    const kept = ofRequest(request.requestId).find(({ claim }) => claim.startsWith(name))?.claim;
    const [contentDigest, claims, ceiling] = kept?.slice(name.length).split(' ') ?? [];
    if (isPayload(asked) || contentDigest === undefined || claims === undefined || ceiling === undefined) return undefined;
    const isWithin = BigInt(asked.order.feeCeilingUnits) <= BigInt(ceiling);
    return isWithin ? { contentDigest, claims: Number(claims) } : undefined;
  },
  usedBy: ({ requestId }: LoggedRequest, claims: readonly string[]): number =>
    [...new Set(claims)].filter((claim) => usesOf(claim).some((use) => use.requestId === requestId)).length,
  // The device does not know how often people asked other signers.
  mostAsked: () => 0,
});
