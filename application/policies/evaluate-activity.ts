import type { Activity, Evaluation } from '../../domain/approvals';
import type { Movement } from '../../domain/asset-movements';
import type { Ask } from '../../domain/judgements';
import type { Screening } from '../../domain/screenings';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Tx } from '../../entities/database';
import { organizationStore, type PolicyStand } from '../../entities/organizations/organization.store';
import { type Policy, policyStore } from '../../entities/policies/policy.store';
import { verdictStore } from '../../entities/policies/verdict.store';
import { areAsked } from '../../policy/approvals';
import { applying, evaluate, isStricter } from '../../policy/evaluate';
import { needsOf } from '../../policy/needs';
import type { ChangeFacts, Facts, Outcome, SponsorFacts, Verdict } from '../../policy/types';
import { committedGroups, type HeldApproval, requestApproval } from '../approvals/request-approval';
import { type SigningWith, sponsorFactsOf, subjectOf } from '../wallets/wallet-facts';
import { tellTriggered } from './events';
import { gather } from './gathered-facts';
import { policiesInForce } from './policies-in-force';

/** Values that JSON preserves exactly. Amounts are therefore decimal strings, not numbers. */
type EnvelopeValue = string | number | boolean | null | readonly EnvelopeValue[] | ApprovalEnvelope;
export type ApprovalEnvelope = { readonly [member: string]: EnvelopeValue };

export type ActivityFacts = {
  readonly activityId: string;
  /** The version of the activity's record. */
  readonly activityVersion: number;
  readonly activity: Activity;
  /** The complete intent. The approval's digest covers the intent, so an approver's signature covers the intent too (S2). */
  readonly envelope: ApprovalEnvelope;
  /** Present if the activity is judged again after people have approved the activity (S9). */
  readonly priorApprovalId?: string | undefined;
  /**
   * The earlier activity that this activity repeats. The two activities are counted once in usage windows, and share approvals
   * and the answers of vendors.
   */
  readonly repeats?: string | undefined;
  /**
   * True if the activity has already claimed nonces or coins (S8). An approval would then come too late: if a policy holds the
   * activity, no approval is requested and the activity cannot proceed.
   */
  readonly isClaimed?: boolean;
};

export type WalletSign = SigningWith &
  Pick<Facts, 'initiatorId' | 'recipients' | 'paysNobody' | 'amountUsdMicro' | 'network'> &
  ActivityFacts & {
    /** The movement that vendors screen; null if the bytes are unclear or move several assets at once. */
    readonly movement: Movement | null;
    /** The wallet that pays the fee, and the highest fee in USD; null if no price is known. */
    readonly sponsor?: Pick<SponsorFacts, 'walletId' | 'amountUsdMicro'>;
    /** Present for an incoming transfer. */
    readonly received?: { readonly txHash: string; readonly from: string | null };
  };
export type ChangeActivity = ChangeFacts & ActivityFacts;

export type Verdicts = {
  readonly policies: readonly Policy[];
  readonly verdict: Verdict;
  readonly approved: readonly Evaluation[];
  readonly screenings: readonly Screening[];
};

type Reached = { readonly policyEpoch: number };
export type PolicyEvaluation = Reached &
  (
    | {
        /**
         * The outcome is `Cleared` also if people have already approved the activity for every policy that would hold the
         * activity.
         */
        readonly outcome: Outcome;
        readonly verdictId: string;
        /** A message; null if the activity may proceed or waits for approval. */
        readonly blockedReason: string | null;
        /** Null unless the outcome is `Held` and approval may still be requested. */
        readonly approval: HeldApproval | null;
      }
    /** Nothing is decided or recorded yet. */
    | { readonly outcome: 'Asking'; readonly asks: readonly Ask[] }
  );
type Decided = Exclude<PolicyEvaluation, { outcome: 'Asking' }>;

/**
 * Judges an activity that signs with a wallet, under the policies at the epoch of `stand`, and records the verdict. The caller
 * has locked the activity's record, and advances the record in the same transaction. Otherwise a repeated call would judge the
 * activity again.
 */
export async function evaluateWalletSign(tx: Tx, input: WalletSign, stand: PolicyStand): Promise<PolicyEvaluation> {
  const { policyEpoch } = stand;
  const { initiatorId, recipients, paysNobody = false, amountUsdMicro, network } = input;
  const [policies, sponsor, own] = await Promise.all([
    policiesInForce(tx, input.activity.kind, stand),
    sponsorFactsOf(tx, input),
    subjectOf(tx, input, initiatorId),
  ]);
  const subject = { ...own, ...(sponsor ? { sponsor } : {}) };
  const counted = { ...input, activityId: input.repeats ?? input.activityId };
  const gathered = await gather(tx, counted, subject, needsOf(applying(policies, subject)));
  if (gathered.asks.length > 0) return { outcome: 'Asking', policyEpoch, asks: gathered.asks };
  const recipientFacts = { recipients, ...(paysNobody ? { paysNobody } : {}) };
  const facts = { ...subject, initiatorId, ...recipientFacts, amountUsdMicro, network, ...gathered.facts };
  return judge(tx, input, { policyEpoch, facts, policies });
}

export async function evaluateChange(tx: Tx, input: ChangeActivity): Promise<Decided> {
  const { policyEpoch } = await organizationStore.policyStand(tx);
  const { initiatorId, permissionId, policyId } = input;
  const policies = await policyStore.inForce(tx, input.activity.kind);
  return judge(tx, input, { policyEpoch, facts: { initiatorId, permissionId, policyId }, policies });
}

type Grounds = {
  readonly policyEpoch: number;
  readonly facts: Facts | ChangeFacts;
  readonly policies: readonly Policy[];
};

async function judge(tx: Tx, input: WalletSign | ChangeActivity, { policyEpoch, facts, policies }: Grounds): Promise<Decided> {
  const verdict = evaluate(policies, facts);
  const approved = await approvedBefore(tx, input, verdict);
  const outcome = verdict.outcome === 'Held' && !isStricter(approved, verdict) ? 'Cleared' : verdict.outcome;
  const verdictId = await verdictStore.record(tx, {
    activityKind: input.activity.kind,
    activityId: input.activityId,
    policyEpoch,
    outcome,
    facts: { ...facts, envelope: input.envelope },
    evaluations: verdict.evaluations,
    shadows: verdict.shadows,
  });
  const judged = { policies, verdict, approved, screenings: 'screenings' in facts ? (facts.screenings ?? []) : [] };
  await tellTriggered(tx, input, judged);
  const isAsked = outcome === 'Held' && input.isClaimed !== true;
  const approval = isAsked ? await requestApproval(tx, input, judged, policyEpoch) : null;
  const reason = outcome === 'Held' && !isAsked ? askedTooLate(judged) : blockedReason(judged);
  return { outcome, verdictId, policyEpoch, blockedReason: reason, approval };
}

/** An earlier approval is accepted only if the approval satisfies the groups that the policy now demands. */
async function approvedBefore(
  tx: Tx,
  { priorApprovalId, activityId, initiatorId, repeats }: WalletSign | ChangeActivity,
  { groups: demands }: Verdict,
): Promise<readonly Evaluation[]> {
  if (priorApprovalId === undefined) return [];
  const prior = await approvalStore.find(tx, priorApprovalId);
  const isOfThis = prior?.activityId === activityId || prior?.activityId === repeats;
  if (prior?.status !== 'Approved' || !isOfThis) return [];
  const groups = committedGroups(prior) ?? [];
  const demandsOf = (id: string) => demands.filter(({ policyId }) => policyId === id);
  return prior.evaluations.filter(({ policyId }) => areAsked(groups, demandsOf(policyId), initiatorId));
}

const named = (policies: Verdicts['policies'], policyId: string): string =>
  `policy ${policies.find(({ id }) => id === policyId)?.name ?? ''} (${policyId})`;

function blockedReason({ policies, verdict }: Verdicts): string | null {
  const [first] = verdict.blockedBy;
  return first === undefined ? null : `Blocked by ${named(policies, first)}`;
}

function askedTooLate({ policies, verdict }: Verdicts): string {
  const [first] = verdict.groups;
  const policy = first === undefined ? 'a policy' : named(policies, first.policyId);
  return `It was built before ${policy} asked for approval, and nothing was signed: request it again`;
}
