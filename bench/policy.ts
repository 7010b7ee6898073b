import type { Bench, Figure } from './bench';
import { policyEvaluation } from './policy-evaluation';
import { policyFacts } from './policy-facts';
import { waitingApprovals } from './waiting-approvals';

/** The parts of this bench: the cost of judging an activity, and the cost of people's decisions. */
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
