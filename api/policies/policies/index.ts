import type { Operation } from '../../http/operation';
import { archivePolicy } from './archive-policy';
import { createPolicy } from './create-policy';
import { evaluatePolicies } from './evaluate-policies';
import { getPolicy } from './get-policy';
import { getPolicyReachability } from './get-policy-reachability';
import { listPolicies } from './list-policies';
import { listShadowResults } from './list-shadow-results';
import { updatePolicy } from './update-policy';

export const policyOperations: readonly Operation[] = [
  createPolicy,
  listPolicies,
  getPolicy,
  getPolicyReachability,
  updatePolicy,
  archivePolicy,
  evaluatePolicies,
  listShadowResults,
];
