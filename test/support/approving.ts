import type { Proofs } from '../../application/approvals/countable-votes';
import { createSecretBox } from '../../platform/secret-box';

/** The proofs for steps that verify signatures of keys. A step opens the box only for a factor that signs nothing. */
export const APPROVING: Proofs = { signedBodies: createSecretBox(Buffer.alloc(32), 'user-actions') };
