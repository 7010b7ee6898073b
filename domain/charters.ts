import { AMENDMENTS, type PermittedAmendment } from './amendments';
import { CAUSES } from './causes';
import type { ActivityKind } from './policies';
import type { OperationsThat } from './under-charter';

const {
  createWallet,
  tagWallet,
  untagWallet,
  createPolicy,
  updatePolicy,
  archivePolicy,
  deactivateUser,
  archiveUser,
  deactivateServiceAccount,
  archiveServiceAccount,
}: Readonly<Record<PermittedAmendment, { readonly permissions: readonly string[] }>> = AMENDMENTS;

/** The operations that a charter can allow for a credential, with the permissions that the service requires. */
export const CHARTER_OPERATIONS = {
  transferAsset: [CAUSES.transferAsset.permission],
  broadcastTransaction: [CAUSES.broadcastTransaction.permission],
  walletsGenerateSignature: [CAUSES.walletsGenerateSignature.permission],
  keysGenerateSignature: [CAUSES.keysGenerateSignature.permission],
  createApprovalDecision: ['Policies:Approvals:Approve'],
  releaseFreeze: ['Freezes:Release'],
  exportKey: [CAUSES.exportKey.permission],
  exportWallet: [CAUSES.exportWallet.permission],
  deriveKey: [CAUSES.deriveKey.permission],
  createWallet: createWallet.permissions,
  tagWallet: tagWallet.permissions,
  untagWallet: untagWallet.permissions,
  createPolicy: createPolicy.permissions,
  updatePolicy: updatePolicy.permissions,
  archivePolicy: archivePolicy.permissions,
  deactivateUser: deactivateUser.permissions,
  archiveUser: archiveUser.permissions,
  deactivateServiceAccount: deactivateServiceAccount.permissions,
  archiveServiceAccount: archiveServiceAccount.permissions,
} as const satisfies Readonly<Record<PermittedAmendment, readonly string[]>> &
  Partial<Readonly<Record<OperationsThat<'Judged' | 'Amends'>, readonly string[]>>>;
export type CharterOperation = keyof typeof CHARTER_OPERATIONS;
export const CHARTER_OPERATION_IDS = Object.keys(CHARTER_OPERATIONS) as CharterOperation[];

/**
 * The blind signatures that the service refuses if the charter requires that people see the content they sign. `Nothing`: an
 * operation that removes a right. The service accepts a blind signature for this operation, even though the signer ignores the
 * signature.
 */
const REFUSED_BLIND: Readonly<Record<CharterOperation, 'Request' | 'ApprovingVote' | 'Nothing'>> = {
  transferAsset: 'Request',
  broadcastTransaction: 'Request',
  walletsGenerateSignature: 'Request',
  keysGenerateSignature: 'Request',
  createApprovalDecision: 'ApprovingVote',
  releaseFreeze: 'Request',
  exportKey: 'Request',
  exportWallet: 'Request',
  deriveKey: 'Request',
  createWallet: 'Request',
  tagWallet: 'Request',
  untagWallet: 'Request',
  createPolicy: 'Request',
  updatePolicy: 'Request',
  archivePolicy: 'Request',
  deactivateUser: 'Nothing',
  archiveUser: 'Nothing',
  deactivateServiceAccount: 'Nothing',
  archiveServiceAccount: 'Nothing',
};
const isCharterOperation = (operation: string): operation is CharterOperation => Object.hasOwn(CHARTER_OPERATIONS, operation);
export const refusedBlindAs = (operation: string): 'Request' | 'ApprovingVote' | 'Nothing' =>
  isCharterOperation(operation) ? REFUSED_BLIND[operation] : 'Nothing';

/**
 * The activities whose policies the members of an organisation can amend, each with the property of the charter that lists these
 * policies.
 */
export const AMENDED_POLICIES = {
  'Wallets:Sign': 'policies',
  'Policies:Modify': 'changePolicies',
} as const satisfies Partial<Readonly<Record<ActivityKind, string>>>;
type AmendedActivity = keyof typeof AMENDED_POLICIES;
export const isAmendedActivity = (kind: string): kind is AmendedActivity => Object.hasOwn(AMENDED_POLICIES, kind);

/** The activities whose policies are in a charter. Only the operator changes the policies on exports. */
export const CHARTER_ACTIVITIES = ['Wallets:Sign', 'Policies:Modify', 'Keys:Export'] as const satisfies readonly ActivityKind[];
export type CharterActivity = (typeof CHARTER_ACTIVITIES)[number];
export const isCharterActivity = (kind: string): kind is CharterActivity =>
  (CHARTER_ACTIVITIES as readonly string[]).includes(kind);

/** The operations that a charter can allow only if the charter also contains rules for exports. */
const EXPORTS: readonly string[] = ['exportKey', 'exportWallet'] satisfies readonly CharterOperation[];
export const isExport = (operation: CharterOperation): boolean => EXPORTS.includes(operation);

/**
 * The networks on which a charter lets end users sign with their own keys. `All` includes the mainnets that the charter names.
 */
export const END_USER_NETWORKS = ['Test', 'All'] as const;

/** The operations that an end user may sign for a key that the end user holds. */
export const HOLDER_OPERATIONS = [
  'transferAsset',
  'broadcastTransaction',
  'walletsGenerateSignature',
  'keysGenerateSignature',
  'deriveKey',
  'createWallet',
] as const satisfies readonly CharterOperation[];

/** The limit keeps an attestation short, because an attestation lists each credential of the key's holder. */
export const HELD_CREDENTIALS_MAX = 8;

/** The longest wait between the votes and the export of a key. */
export const EXPORT_WAIT_HOURS_MAX = 168;

/** Under a charter, the signer rejects a request with a longer body. */
export const SIGNED_BODY_BYTES_MAX = 256 * 1024;
