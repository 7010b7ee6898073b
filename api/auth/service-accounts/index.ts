import type { Operation } from '../../http/operation';
import { activateServiceAccount } from './activate-service-account';
import { archiveServiceAccount } from './archive-service-account';
import { createServiceAccount } from './create-service-account';
import { deactivateServiceAccount } from './deactivate-service-account';
import { getServiceAccount } from './get-service-account';
import { listServiceAccounts } from './list-service-accounts';
import { updateServiceAccount } from './update-service-account';

export const serviceAccountOperations: readonly Operation[] = [
  createServiceAccount,
  listServiceAccounts,
  getServiceAccount,
  updateServiceAccount,
  archiveServiceAccount,
  activateServiceAccount,
  deactivateServiceAccount,
];
