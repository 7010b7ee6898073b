import type { Proofs } from '../../application/approvals/countable-votes';
import { createSecretBox } from '../../platform/secret-box';

/** For steps that verify what keys have signed: the box is only opened for factors that sign nothing. */
export const APPROVING: Proofs = { signedBodies: createSecretBox(Buffer.alloc(32), 'user-actions') };
