import { digestOf } from './canonical';

/** Commitments with and without an anchor have different versions, so that neither form can be mistaken for the other. */
const CHALLENGE_VERSION = 1;
const ANCHORED_VERSION = 2;
export const NONCE_BYTES = 16;

/** Everything that a signature over the challenge authorises. */
export type ActionCommitment = {
  readonly orgId: string;
  readonly userId: string;
  readonly credentialIds: readonly string[];
  readonly method: string;
  /** Percent-encoded as sent, without the query. */
  readonly path: string;
  /** Lower-case hex of the digest over the exact bytes of the body. */
  readonly bodySha256: string;
  readonly dateExpires: Date;
  /** The digest that the signature of a decision on approvals must cover (S2); null for every other request. */
  readonly approvalDigest: string | null;
  /** The signer's dated text, which shows that the action is not older than the text; null if the API had none. */
  readonly anchor: string | null;
};

/**
 * base64url(nonce ‖ SHA-256(canonical JSON)). Anyone can recompute the challenge from the row, so a signature over the
 * challenge proves later what was authorised.
 */
export const challengeOf = (nonce: Uint8Array, commitment: ActionCommitment): string =>
  challengeWith(nonce, committedOf(commitment));

/** Used by an approver's own tool, which has the object of `committedOf` but not the row. */
export const challengeWith = (nonce: Uint8Array, committed: Parameters<typeof digestOf>[0]): string =>
  Buffer.concat([nonce, Buffer.from(digestOf(committed), 'hex')]).toString('base64url');

/** An approver's own tool needs this object to recompute the challenge. */
export function committedOf({ approvalDigest, anchor, ...commitment }: ActionCommitment) {
  return {
    v: anchor === null ? CHALLENGE_VERSION : ANCHORED_VERSION,
    org: commitment.orgId,
    user: commitment.userId,
    credentials: [...commitment.credentialIds].sort(),
    method: commitment.method,
    path: commitment.path,
    bodySha256: commitment.bodySha256,
    expires: commitment.dateExpires.toISOString(),
    ...(approvalDigest === null ? {} : { approvalDigest }),
    ...(anchor === null ? {} : { anchor }),
  };
}
