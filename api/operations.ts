import { credentialOperations } from './auth/credentials';
import { personalAccessTokenOperations } from './auth/pats';
import { serviceAccountOperations } from './auth/service-accounts';
import { oidcOperations } from './auth/oidc';
import { userActionOperations } from './auth/user-actions';
import { userOperations } from './auth/users';
import type { Operation } from './http/operation';
import { approvalOperations } from './policies/approvals';
import { policyOperations } from './policies/policies';
import { transferOperations } from './wallets/transfers';
import { walletOperations } from './wallets/wallets';
import { webhookOperations } from './webhooks';

/** The whole surface of the API as one list: router, documentation, permission catalogue and tests fold over it. */
export const operations: readonly Operation[] = [
  ...userActionOperations,
  ...userOperations,
  ...credentialOperations,
  ...oidcOperations,
  ...serviceAccountOperations,
  ...personalAccessTokenOperations,
  ...walletOperations,
  ...transferOperations,
  ...policyOperations,
  ...approvalOperations,
  ...webhookOperations,
];
