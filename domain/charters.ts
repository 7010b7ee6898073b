import { CAUSES } from './causes';

/** What a charter can allow a credential to do, with the permission that the service asks for. */
export const CHARTER_OPERATIONS = {
  transferAsset: CAUSES.transferAsset.permission,
  broadcastTransaction: CAUSES.broadcastTransaction.permission,
  walletsGenerateSignature: CAUSES.walletsGenerateSignature.permission,
  keysGenerateSignature: CAUSES.keysGenerateSignature.permission,
  createApprovalDecision: 'Policies:Approvals:Approve',
  releaseFreeze: 'Freezes:Release',
} as const satisfies Readonly<Record<string, string>>;
export type CharterOperation = keyof typeof CHARTER_OPERATIONS;
export const CHARTER_OPERATION_IDS = Object.keys(CHARTER_OPERATIONS) as CharterOperation[];

/** A charter lets a request count only up to this length of its body. */
export const SIGNED_BODY_BYTES_MAX = 256 * 1024;
