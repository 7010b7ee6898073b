import { AMENDMENTS, type PermittedAmendment } from './amendments';
import { CAUSES } from './causes';
import type { ActivityKind } from './policies';

const {
  createWallet,
  tagWallet,
  untagWallet,
  createPolicy,
  updatePolicy,
  archivePolicy,
  deactivateUser,
  archiveUser,
}: Readonly<Record<PermittedAmendment, { readonly permissions: readonly string[] }>> = AMENDMENTS;

/** The operations that a charter can allow to a credential, with the permissions that the service requires. */
export const CHARTER_OPERATIONS = {
  transferAsset: [CAUSES.transferAsset.permission],
  broadcastTransaction: [CAUSES.broadcastTransaction.permission],
  walletsGenerateSignature: [CAUSES.walletsGenerateSignature.permission],
  keysGenerateSignature: [CAUSES.keysGenerateSignature.permission],
  createApprovalDecision: ['Policies:Approvals:Approve'],
  releaseFreeze: ['Freezes:Release'],
  createWallet: createWallet.permissions,
  tagWallet: tagWallet.permissions,
  untagWallet: untagWallet.permissions,
  createPolicy: createPolicy.permissions,
  updatePolicy: updatePolicy.permissions,
  archivePolicy: archivePolicy.permissions,
  deactivateUser: deactivateUser.permissions,
  archiveUser: archiveUser.permissions,
} as const satisfies Readonly<Record<PermittedAmendment, readonly string[]>> & Readonly<Record<string, readonly string[]>>;
export type CharterOperation = keyof typeof CHARTER_OPERATIONS;
export const CHARTER_OPERATION_IDS = Object.keys(CHARTER_OPERATIONS) as CharterOperation[];

/**
 * The blind signatures that the service refuses if the charter demands that people see the content they sign. `Nothing`: the
 * service accepts every operation that removes a right, although the signer does not count a blind signature over it.
 */
const REFUSED_BLIND: Readonly<Record<CharterOperation, 'Request' | 'ApprovingVote' | 'Nothing'>> = {
  transferAsset: 'Request',
  broadcastTransaction: 'Request',
  walletsGenerateSignature: 'Request',
  keysGenerateSignature: 'Request',
  createApprovalDecision: 'ApprovingVote',
  releaseFreeze: 'Request',
  createWallet: 'Request',
  tagWallet: 'Request',
  untagWallet: 'Request',
  createPolicy: 'Request',
  updatePolicy: 'Request',
  archivePolicy: 'Request',
  deactivateUser: 'Nothing',
  archiveUser: 'Nothing',
};
const isCharterOperation = (operation: string): operation is CharterOperation => Object.hasOwn(CHARTER_OPERATIONS, operation);
export const refusedBlindAs = (operation: string): 'Request' | 'ApprovingVote' | 'Nothing' =>
  isCharterOperation(operation) ? REFUSED_BLIND[operation] : 'Nothing';

/** The activities whose policies are in a charter, each with the charter's list of these policies. */
export const CHARTER_POLICIES = {
  'Wallets:Sign': 'policies',
  'Policies:Modify': 'changePolicies',
} as const satisfies Partial<Readonly<Record<ActivityKind, string>>>;
type CharterActivity = keyof typeof CHARTER_POLICIES;
export const CHARTER_ACTIVITIES = Object.keys(CHARTER_POLICIES) as CharterActivity[];
export const isCharterActivity = (kind: string): kind is CharterActivity => Object.hasOwn(CHARTER_POLICIES, kind);

/** Under a charter, a request with a longer body does not count. */
export const SIGNED_BODY_BYTES_MAX = 256 * 1024;
