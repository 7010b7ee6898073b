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

/** What a charter can allow a credential to do, with the permissions that the service asks for. */
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
 * What the service refuses if a charter demands that people see what they sign, and a person signed blind. The service takes
 * every restriction, although the signer does not count a blind one.
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

/** The activities whose policies a charter has, each with the list that has these policies. */
export const CHARTER_POLICIES = {
  'Wallets:Sign': 'policies',
  'Policies:Modify': 'changePolicies',
} as const satisfies Partial<Readonly<Record<ActivityKind, string>>>;
type CharterActivity = keyof typeof CHARTER_POLICIES;
export const CHARTER_ACTIVITIES = Object.keys(CHARTER_POLICIES) as CharterActivity[];
export const isCharterActivity = (kind: string): kind is CharterActivity => Object.hasOwn(CHARTER_POLICIES, kind);

/** A charter lets a request count only up to this length of its body. */
export const SIGNED_BODY_BYTES_MAX = 256 * 1024;
