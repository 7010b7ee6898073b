import type { Bench, Figure } from './bench';
import { policyEvaluation } from './policy-evaluation';
import { policyFacts } from './policy-facts';
import { waitingApprovals } from './waiting-approvals';

/** The parts measure the cost of judging an activity and the cost of decisions by people. */
const PARTS: readonly Bench['run'][] = [policyEvaluation, policyFacts, waitingApprovals];

export const policy: Bench = {
  name: 'policy',
  run: async (options) => {
    const figures: Figure[] = [];
    // One after the other: parts that ran side by side would measure each other.
    for (const part of PARTS) figures.push(...(await part(options)));
    return figures;
  },
};
