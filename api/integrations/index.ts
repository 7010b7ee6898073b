import type { Operation } from '../http/operation';
import { activateIntegration } from './activate-integration';
import { deactivateIntegration } from './deactivate-integration';
import { getIntegration } from './get-integration';
import { listIntegrations } from './list-integrations';
import { receiveTravelRuleCallback } from './receive-travel-rule-callback';
import { testIntegration } from './test-integration';

export const integrationOperations: readonly Operation[] = [
  listIntegrations,
  getIntegration,
  activateIntegration,
  deactivateIntegration,
  testIntegration,
  receiveTravelRuleCallback,
];
