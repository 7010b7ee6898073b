import { digestOf } from '../../platform/canonical';

const CHALLENGE_VERSION = 1;
export const NONCE_BYTES = 16;

/** Everything that a signature over the challenge authorises. Nothing else may be concluded from the signature. */
export type ActionCommitment = {
  readonly orgId: string;
  readonly userId: string;
  /** The ids of the credentials that may sign. */
  readonly credentialIds: readonly string[];
  readonly method: string;
  /** Percent-encoded as sent, without the query. */
  readonly path: string;
  /** Lower-case hex of the digest over the exact bytes of the body. */
  readonly bodySha256: string;
  /** The time after which the action can no longer be used. */
  readonly dateExpires: Date;
  /** The digest that the signature under a decision on approvals must cover (S2); null for every other request. */
  readonly approvalDigest: string | null;
};

/**
 * The challenge of a user action: base64url(nonce ‖ SHA-256(canonical JSON)). The challenge can be recomputed from the row. A
 * signature over the challenge therefore proves later what was authorised, without trust in this service.
 */
export function challengeOf(nonce: Uint8Array, commitment: ActionCommitment): string {
  return Buffer.concat([nonce, Buffer.from(digestOf(committedOf(commitment)), 'hex')]).toString('base64url');
}

/** The object whose canonical JSON is digested. An approver's own tool needs this object to recompute the challenge. */
export function committedOf({ approvalDigest, ...commitment }: ActionCommitment) {
  return {
    v: CHALLENGE_VERSION,
    org: commitment.orgId,
    user: commitment.userId,
    credentials: [...commitment.credentialIds].sort(),
    method: commitment.method,
    path: commitment.path,
    bodySha256: commitment.bodySha256,
    expires: commitment.dateExpires.toISOString(),
    ...(approvalDigest === null ? {} : { approvalDigest }),
  };
}
