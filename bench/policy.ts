import type { Bench, Figure } from './bench';
import { policyEvaluation } from './policy-evaluation';
import { policyFacts } from './policy-facts';
import { waitingApprovals } from './waiting-approvals';

/** The cost of judging an activity, and the cost of the decisions of people. */
const PARTS: readonly Bench['run'][] = [policyEvaluation, policyFacts, waitingApprovals];

export const policy: Bench = {
  name: 'policy',
  run: async (options) => {
    const figures: Figure[] = [];
    // Concurrent parts would slow each other down.
    for (const part of PARTS) figures.push(...(await part(options)));
    return figures;
  },
};
