import type { Evaluation } from '../domain/approvals';
import type { Action, Filters, PolicyInForce } from '../domain/policies';
import { applies, appliesToFee } from './filters';
import { groupsOf } from './groups';
import { judgeByRule } from './rules';
import type { ChangeFacts, Facts, GroupDemand, KeyFacts, RuleOutcome, Subject, Verdict } from './types';

/**
 * A policy may judge the activity, the fee that a sponsor pays, or both. The policy triggers if its rule triggers on the
 * activity or on the fee.
 */
function judgeWith(policy: PolicyInForce, facts: Facts | ChangeFacts): RuleOutcome {
  const { filters, rule } = policy;
  if (!('walletId' in facts)) return judgeByRule(rule, facts);
  if (!appliesToFee(policy, facts)) return naming(filters, facts, judgeByRule(rule, facts));
  const fee = naming(filters, facts.sponsor, judgeByRule(rule, feeFactsOf(facts)));
  const ofFee = { ...fee, reason: `For the wallet of the fee sponsor: ${fee.reason}` };
  if (!applies(filters, facts)) return ofFee;
  const own = naming(filters, facts, judgeByRule(rule, facts));
  return own.triggered || !fee.triggered ? own : ofFee;
}

/** Adds the key store to the reason if the policy is about key stores. */
function naming(filters: Filters | null, key: KeyFacts | undefined, outcome: RuleOutcome): RuleOutcome {
  if (filters?.storeId === undefined) return outcome;
  const store = key?.storeId === undefined ? 'an unknown key store' : `the key store ${key.storeId}`;
  return { ...outcome, reason: `${outcome.reason}; the key is in ${store}` };
}

/** Presents the fee as an activity of the sponsor's wallet. */
function feeFactsOf({ sponsor, initiatorId, network, usage }: Facts): Facts {
  const { walletId = null, walletTags = [], amountUsdMicro = null } = sponsor ?? {};
  const paid = { recipients: [], paysNobody: true, amountUsdMicro };
  return { walletId, walletTags, initiatorId, network, ...paid, ...(usage === undefined ? {} : { usage }) };
}

type Triggered<A extends Action = Action> = { readonly policy: PolicyInForce; readonly action: A };
type RequestApproval = Extract<Action, { kind: 'RequestApproval' }>;

/** Includes the policies that judge only the fee of a sponsor. Sorted by id. */
export function applying(policies: readonly PolicyInForce[], facts: Subject | ChangeFacts): PolicyInForce[] {
  return policies
    .filter((policy) => applies(policy.filters, facts) || appliesToFee(policy, facts))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Any policy that blocks makes the outcome `Blocked`, even if other policies ask for approval. */
export function evaluate(policies: readonly PolicyInForce[], facts: Facts | ChangeFacts): Verdict {
  const judged = applying(policies, facts).map((policy) => ({
    policy,
    evaluation: { policyId: policy.id, policyVersion: policy.version, ...judgeWith(policy, facts) },
  }));
  const enforced = judged.filter(({ policy }) => policy.mode === 'Enforce');
  const evaluations = enforced.map(({ evaluation }) => evaluation);
  const shadows = judged.filter(({ policy }) => policy.mode === 'Shadow').map(({ evaluation }) => evaluation);
  const triggered: Triggered[] = enforced
    .filter(({ evaluation }) => evaluation.triggered)
    .map(({ policy }) => ({ policy, action: policy.action }));

  const blockedBy = triggered.filter(({ action }) => action.kind === 'Block').map(({ policy }) => policy.id);
  const asking = triggered.filter((one): one is Triggered<RequestApproval> => one.action.kind === 'RequestApproval');
  if (blockedBy.length > 0 || asking.length === 0) {
    const outcome = blockedBy.length > 0 ? 'Blocked' : 'Cleared';
    return { outcome, evaluations, shadows, blockedBy, groups: [], autoRejectTimeoutMinutes: null };
  }
  return {
    outcome: 'Held',
    evaluations,
    shadows,
    blockedBy,
    groups: asking.flatMap(demandsOf),
    autoRejectTimeoutMinutes: shortest(asking),
  };
}

function demandsOf({ policy, action }: Triggered<RequestApproval>): GroupDemand[] {
  return groupsOf(action).map((definition) => ({ policyId: policy.id, definition }));
}

function shortest(asking: readonly Triggered<RequestApproval>[]): number | null {
  const minutes = asking.flatMap(({ action }) => action.autoRejectTimeout ?? []);
  return minutes.length === 0 ? null : Math.min(...minutes);
}

/**
 * Whether a verdict requires more than people have already approved (S9). An approval under an earlier version of a policy never
 * covers a later version, because a check of whether the change loosened the policy could be wrong.
 */
export function isStricter(approved: readonly Evaluation[], verdict: Verdict): boolean {
  if (verdict.outcome === 'Blocked') return true;
  // A triggered policy that does not request approval does not hold the activity, so the policy cannot make a verdict stricter.
  const asking = new Set(verdict.groups.map(({ policyId }) => policyId));
  return verdict.evaluations.some((now) => asking.has(now.policyId) && !covers(approved, now));
}

export function covers(approved: readonly Evaluation[], { policyId, policyVersion }: Evaluation): boolean {
  return approved.some((then) => then.triggered && then.policyId === policyId && then.policyVersion === policyVersion);
}
