import { addressWatchOperations } from './address-watches';
import { applicationOperations } from './auth/apps';
import { auditLogOperations } from './auth/audit-logs';
import { credentialOperations } from './auth/credentials';
import { loginOperations } from './auth/login';
import { oidcOperations } from './auth/oidc';
import { personalAccessTokenOperations } from './auth/pats';
import { recoveryOperations } from './auth/recovery';
import { registrationOperations } from './auth/registration';
import { serviceAccountOperations } from './auth/service-accounts';
import { userActionOperations } from './auth/user-actions';
import { userOperations } from './auth/users';
import { feeSponsorOperations } from './fee-sponsors';
import { feedOperations } from './feed';
import { freezeOperations } from './freezes';
import type { Operation } from './http/operation';
import { integrationOperations } from './integrations';
import { ceremonyOperations } from './key-stores/ceremonies';
import { deviceSignatureOperations } from './key-stores/device-signatures';
import { fleetOperations } from './key-stores/fleets';
import { keyOperations } from './keys';
import { keySignatureOperations } from './keys/signatures';
import { networkOperations } from './networks';
import { organizationOperations } from './organizations';
import { authorityOperations } from './organizations/authority';
import { permissionOperations } from './permissions';
import { approvalOperations } from './policies/approvals';
import { backtestOperations } from './policies/backtests';
import { policyOperations } from './policies/policies';
import { registryAddressOperations } from './registry/addresses';
import { contractSchemaOperations } from './registry/contract-schemas';
import { backfillOperations } from './wallets/backfills';
import { movementOperations } from './wallets/movements';
import { walletSignatureOperations } from './wallets/signatures';
import { transactionOperations } from './wallets/transactions';
import { transferOperations } from './wallets/transfers';
import { walletOperations } from './wallets/wallets';
import { webhookOperations } from './webhooks';

/** The router, the documentation, the permission catalogue and the tests read this list. */
export const operations: readonly Operation[] = [
  ...userActionOperations,
  ...userOperations,
  ...credentialOperations,
  ...registrationOperations,
  ...loginOperations,
  ...recoveryOperations,
  ...oidcOperations,
  ...serviceAccountOperations,
  ...personalAccessTokenOperations,
  ...applicationOperations,
  ...auditLogOperations,
  ...organizationOperations,
  ...authorityOperations,
  ...networkOperations,
  ...keyOperations,
  ...ceremonyOperations,
  ...deviceSignatureOperations,
  ...fleetOperations,
  ...walletOperations,
  ...movementOperations,
  ...backfillOperations,
  ...addressWatchOperations,
  ...transferOperations,
  ...transactionOperations,
  ...keySignatureOperations,
  ...walletSignatureOperations,
  ...permissionOperations,
  ...policyOperations,
  ...backtestOperations,
  ...approvalOperations,
  ...freezeOperations,
  ...feeSponsorOperations,
  ...registryAddressOperations,
  ...contractSchemaOperations,
  ...webhookOperations,
  ...feedOperations,
  ...integrationOperations,
];
