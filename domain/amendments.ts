type Facts = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** All of these permissions are needed. Empty for what every member may do with the member's own credentials. */
  readonly permissions: readonly string[];
};

/** The operations by which members of an organisation change its charter themselves, each with a user action. */
export const AMENDMENTS = {
  createWallet: { method: 'POST', path: '/wallets', permissions: ['Wallets:Create', 'Keys:Create'] },
  tagWallet: { method: 'PUT', path: '/wallets/:walletId/tags', permissions: ['Wallets:Tags:Add'] },
  untagWallet: { method: 'DELETE', path: '/wallets/:walletId/tags', permissions: ['Wallets:Tags:Delete'] },
  createPolicy: { method: 'POST', path: '/v2/policies', permissions: ['Policies:Create'] },
  updatePolicy: { method: 'PUT', path: '/v2/policies/:policyId', permissions: ['Policies:Update'] },
  archivePolicy: { method: 'DELETE', path: '/v2/policies/:policyId', permissions: ['Policies:Archive'] },
  deactivateUser: { method: 'PUT', path: '/auth/users/:userId/deactivate', permissions: ['Auth:Users:Deactivate'] },
  archiveUser: { method: 'DELETE', path: '/auth/users/:userId', permissions: ['Auth:Users:Delete'] },
  deactivateCredential: { method: 'PUT', path: '/auth/credentials/deactivate', permissions: [] },
  deleteCredential: { method: 'DELETE', path: '/auth/credentials/:credentialUuid', permissions: [] },
} as const satisfies Readonly<Record<string, Facts>>;

export type AmendmentKind = keyof typeof AMENDMENTS;
/** Whether the operation, of a credential in a charter or any other, changes charters. */
export const isAmendment = (operation: string): operation is AmendmentKind => Object.hasOwn(AMENDMENTS, operation);
export const AMENDMENT_KINDS = Object.keys(AMENDMENTS) as AmendmentKind[];
/** The amendments that a credential of the charter has to be allowed. */
export type PermittedAmendment = {
  [K in AmendmentKind]: (typeof AMENDMENTS)[K]['permissions'] extends readonly [] ? never : K;
}[AmendmentKind];
