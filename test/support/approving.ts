import type { Proofs } from '../../application/approvals/countable-votes';
import { createSecretBox } from '../../platform/secret-box';

/** The proofs for steps that verify key signatures. A step uses the secret box only for a factor that does not sign. */
export const APPROVING: Proofs = { signedBodies: createSecretBox(Buffer.alloc(32), 'user-actions') };
