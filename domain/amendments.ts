import type { OperationsThat } from './under-charter';

type Facts = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The change requires all of these permissions. Members do not need a permission to change their own credentials. */
  readonly permissions: readonly string[];
  /**
   * The limit per hour applies to each share separately, so that other changes cannot delay the removal of a member or a
   * credential.
   */
  readonly share: AmendmentShare;
};
type AmendmentShare = 'Changes' | 'Removals';

/** Within an hour, the signer applies at most this many amendments per organisation and share. Further amendments wait. */
export const AMENDMENTS_PER_HOUR_MAX = 100;

/** The operations by which members change the charter of their organisation. Each operation needs a user action. */
export const AMENDMENTS = {
  createWallet: { method: 'POST', path: '/wallets', permissions: ['Wallets:Create', 'Keys:Create'], share: 'Changes' },
  tagWallet: { method: 'PUT', path: '/wallets/:walletId/tags', permissions: ['Wallets:Tags:Add'], share: 'Changes' },
  untagWallet: { method: 'DELETE', path: '/wallets/:walletId/tags', permissions: ['Wallets:Tags:Delete'], share: 'Changes' },
  createPolicy: { method: 'POST', path: '/v2/policies', permissions: ['Policies:Create'], share: 'Changes' },
  updatePolicy: { method: 'PUT', path: '/v2/policies/:policyId', permissions: ['Policies:Update'], share: 'Changes' },
  archivePolicy: { method: 'DELETE', path: '/v2/policies/:policyId', permissions: ['Policies:Archive'], share: 'Changes' },
  deactivateUser: {
    method: 'PUT',
    path: '/auth/users/:userId/deactivate',
    permissions: ['Auth:Users:Deactivate'],
    share: 'Removals',
  },
  archiveUser: { method: 'DELETE', path: '/auth/users/:userId', permissions: ['Auth:Users:Delete'], share: 'Removals' },
  deactivateServiceAccount: {
    method: 'PUT',
    path: '/auth/service-accounts/:serviceAccountId/deactivate',
    permissions: ['Auth:ServiceAccounts:Deactivate'],
    share: 'Removals',
  },
  archiveServiceAccount: {
    method: 'DELETE',
    path: '/auth/service-accounts/:serviceAccountId',
    permissions: ['Auth:ServiceAccounts:Delete'],
    share: 'Removals',
  },
  deactivatePersonalAccessToken: { method: 'PUT', path: '/auth/pats/:tokenId/deactivate', permissions: [], share: 'Removals' },
  archivePersonalAccessToken: { method: 'DELETE', path: '/auth/pats/:tokenId', permissions: [], share: 'Removals' },
  deactivateCredential: { method: 'PUT', path: '/auth/credentials/deactivate', permissions: [], share: 'Removals' },
  deleteCredential: { method: 'DELETE', path: '/auth/credentials/:credentialUuid', permissions: [], share: 'Removals' },
} as const satisfies Readonly<Record<OperationsThat<'Amends'>, Facts>>;

export type AmendmentKind = keyof typeof AMENDMENTS;
/** True if the operation can change a charter. */
export const isAmendment = (operation: string): operation is AmendmentKind => Object.hasOwn(AMENDMENTS, operation);
export const AMENDMENT_KINDS = Object.keys(AMENDMENTS) as AmendmentKind[];
export const REMOVAL_KINDS = AMENDMENT_KINDS.filter((kind) => AMENDMENTS[kind].share === 'Removals');
/** The amendments that a member can make only if the charter allows the operation to the member's credential. */
export type PermittedAmendment = {
  [K in AmendmentKind]: (typeof AMENDMENTS)[K]['permissions'] extends readonly [] ? never : K;
}[AmendmentKind];
