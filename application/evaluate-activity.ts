import type { Activity, Evaluation } from '../domain/approvals';
import { invariant } from '../domain/errors';
import { approvalStore } from '../entities/approvals/approval.store';
import type { Tx } from '../entities/database';
import { eventStore } from '../entities/events/event.store';
import { KeyEntity } from '../entities/keys/key.entity';
import { organizationStore } from '../entities/organizations/organization.store';
import type { PolicyEntity } from '../entities/policies/policy.entity';
import { policyStore } from '../entities/policies/policy.store';
import { verdictStore } from '../entities/policies/verdict.store';
import { WalletEntity } from '../entities/wallets/wallet.entity';
import { WalletTagEntity } from '../entities/wallets/wallet-tag.entity';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import { type GroupStanding, standingsOf } from '../policy/approvals';
import { covers, evaluate, isStricter } from '../policy/evaluate';
import type { ChangeFacts, Facts, Outcome, Verdict, WalletFacts } from '../policy/types';
import { approvalView } from './views/approvals';
import { policyView } from './views/policies';
import { votersNow } from './voters';

const MS_PER_MINUTE = 60_000;

/** Values that JSON keeps exactly; amounts are decimal strings. */
type EnvelopeValue = string | number | boolean | null | readonly EnvelopeValue[] | Envelope;
export type Envelope = { readonly [member: string]: EnvelopeValue };

type Judged = {
  readonly activityId: string;
  /** The version of the activity's record, for the events told about it. */
  readonly activityVersion: number;
  /** The activity as the interface shows it. */
  readonly activity: Activity;
  /** What is intended, in full: what an approver's signature covers through the approval's digest (S2). */
  readonly envelope: Envelope;
  /** The approval this activity has passed, where it is judged again at release (S9). */
  readonly priorApprovalId?: string | undefined;
};

/** With `keyId` the activity is the key's, and judged for every wallet on it; `walletId` is then the one it was asked for by. */
export type WalletSign = Omit<Facts, 'walletTags' | 'otherWallets'> & Judged & { readonly keyId?: string };
export type Change = ChangeFacts & Judged;

export type Judgement = {
  /** `Cleared` also where everything that triggers was approved before. */
  readonly outcome: Outcome;
  readonly verdictId: string;
  readonly policyEpoch: number;
  /** Why the activity may not go on, for people; null unless the outcome is `Blocked`. */
  readonly blockedReason: string | null;
  /** The approval to wait for; null unless the outcome is `Held`. */
  readonly approval: HeldApproval | null;
};

export type HeldApproval = {
  readonly approvalId: string;
  /** ISO 8601, for people. */
  readonly dateExpires: string | null;
  /** The same as a duration, for the workflow's timer; null means that it never expires. */
  readonly rejectsItselfAfterMs: number | null;
  readonly groups: readonly GroupStanding[];
};

type Verdicts = {
  readonly policies: readonly PolicyEntity[];
  readonly verdict: Verdict;
  readonly approved: readonly Evaluation[];
};

/**
 * Judges an activity that signs with a wallet, under the policies in force now, and records the verdict; one that is held
 * gets its approval with the voters of this moment. The caller locks the activity's record first and moves it on in the same
 * transaction, so that a repetition finds it moved and does not come here again.
 */
export async function evaluateWalletSign(tx: Tx, input: WalletSign): Promise<Judgement> {
  // Before the policies: a change that commits in between then shows as a newer epoch, and the verdict is looked at again.
  const policyEpoch = await organizationStore.policyEpoch(tx, tx.orgId);
  const facts = await completeFacts(tx, input);
  const policies = (await isDelegatedToInitiator(tx, input)) ? [] : await policyStore.inForce(tx, input.activity.kind);
  return judge(tx, input, { policyEpoch, facts, policies });
}

/** Judges a change of a permission, an assignment or a policy, likewise. */
export async function evaluateChange(tx: Tx, input: Change): Promise<Judgement> {
  const policyEpoch = await organizationStore.policyEpoch(tx, tx.orgId);
  const { initiatorId, permissionId, policyId } = input;
  const policies = await policyStore.inForce(tx, input.activity.kind);
  return judge(tx, input, { policyEpoch, facts: { initiatorId, permissionId, policyId }, policies });
}

type Grounds = {
  readonly policyEpoch: number;
  readonly facts: Facts | ChangeFacts;
  readonly policies: readonly PolicyEntity[];
};

async function judge(tx: Tx, input: WalletSign | Change, { policyEpoch, facts, policies }: Grounds): Promise<Judgement> {
  const verdict = evaluate(policies, facts);
  const approved = await approvedBefore(tx, input);
  const outcome = verdict.outcome === 'Held' && !isStricter(approved, verdict) ? 'Cleared' : verdict.outcome;
  const verdictId = await verdictStore.record(tx, {
    activityKind: input.activity.kind,
    activityId: input.activityId,
    policyEpoch,
    outcome,
    facts: { ...facts, envelope: input.envelope },
    evaluations: verdict.evaluations,
  });
  const judged = { policies, verdict, approved };
  await tellTriggered(tx, input, judged);
  const approval = outcome === 'Held' ? await requestApproval(tx, input, judged, policyEpoch) : null;
  return { outcome, verdictId, policyEpoch, blockedReason: blockedReason(judged), approval };
}

async function completeFacts(tx: Tx, input: WalletSign): Promise<Facts> {
  const { initiatorId, recipients, amountUsdMicro, network } = input;
  const [first, ...otherWallets] = await walletsOf(tx, input);
  const common = { initiatorId, recipients, amountUsdMicro, network };
  if (!first) return { walletId: null, walletTags: [], ...common };
  return { ...first, ...(otherWallets.length === 0 ? {} : { otherWallets }), ...common };
}

/** The wallets that the activity is judged for; archived ones too, because what they hold is still behind the key. */
async function walletsOf(tx: Tx, { walletId, keyId }: WalletSign): Promise<readonly WalletFacts[]> {
  const ofKey = keyId === undefined ? [] : await tx.rows(WalletEntity, 'WHERE t.key_id = $1 ORDER BY t.id', [keyId]);
  const ids = [...new Set([...(walletId === null ? [] : [walletId]), ...ofKey.map(({ id }) => id)])];
  const tags = await tx.rows(WalletTagEntity, 'WHERE t.wallet_id = ANY($1) ORDER BY t.tag', [ids]);
  return ids.map((id) => ({ walletId: id, walletTags: tags.filter((one) => one.walletId === id).map(({ tag }) => tag) }));
}

/** Policies protect what the organisation holds; an end user's own key answers to that user alone. */
async function isDelegatedToInitiator(tx: Tx, { walletId, keyId, initiatorId }: WalletSign): Promise<boolean> {
  const key =
    keyId === undefined
      ? await tx.row(KeyEntity, 'JOIN wallets w ON w.org_id = t.org_id AND w.key_id = t.id WHERE w.id = $1', [walletId])
      : await tx.row(KeyEntity, 'WHERE t.id = $1', [keyId]);
  invariant(key, 'the wallet of an activity has a key');
  return key.delegatedTo === initiatorId;
}

async function approvedBefore(tx: Tx, { priorApprovalId, activityId }: Judged): Promise<readonly Evaluation[]> {
  if (priorApprovalId === undefined) return [];
  const prior = await approvalStore.find(tx, priorApprovalId);
  return prior?.status === 'Approved' && prior.activityId === activityId ? prior.evaluations : [];
}

/** Tells of every policy that triggered and was not told of with the approval this activity has passed. */
async function tellTriggered(tx: Tx, input: Judged, { policies, verdict, approved }: Verdicts): Promise<void> {
  const untold = verdict.evaluations.filter((one) => one.triggered && !covers(approved, one));
  if (untold.length === 0) return;
  const date = (await tx.clock()).toISOString();
  for (const evaluation of untold) {
    const policy = policies.find(({ id }) => id === evaluation.policyId);
    invariant(policy, 'an evaluation is of a policy in force');
    const { reason } = evaluation;
    await eventStore.emit(tx, {
      kind: 'policy.triggered',
      aggregateId: input.activityId,
      aggregateVersion: input.activityVersion,
      data: {
        policyEvaluation: {
          id: newId('policyEvaluation'),
          triggered: true,
          reason,
          date,
          policy: policyView(policy),
          activity: input.activity,
        },
      },
    });
  }
}

async function requestApproval(
  tx: Tx,
  input: WalletSign | Change,
  { verdict }: Verdicts,
  policyEpoch: number,
): Promise<HeldApproval> {
  const approvalId = newId('approval');
  const { activityId, initiatorId, envelope } = input;
  const activityKind = input.activity.kind;
  const groups = await votersNow(tx, verdict.groups, initiatorId);
  const triggered = verdict.evaluations.filter((one) => one.triggered);
  const rejectsItselfAfterMs =
    verdict.autoRejectTimeoutMinutes === null ? null : verdict.autoRejectTimeoutMinutes * MS_PER_MINUTE;
  const dateExpires = rejectsItselfAfterMs === null ? null : new Date((await tx.clock()).getTime() + rejectsItselfAfterMs);
  const committed = {
    v: 1,
    org: tx.orgId,
    activityKind,
    activityId,
    envelope,
    policies: triggered.map(({ policyId, policyVersion }) => ({ id: policyId, version: policyVersion })),
    groups,
  };
  await approvalStore.create(tx, {
    id: approvalId,
    activityKind,
    activityId,
    initiatorId,
    activity: heldBy(input.activity, approvalId),
    digest: digestOf(committed),
    committed,
    groups,
    evaluations: verdict.evaluations,
    policyEpoch,
    dateExpires,
  });
  const row = await approvalStore.find(tx, approvalId);
  invariant(row, 'the approval was just written');
  await eventStore.emit(tx, {
    kind: 'policy.approval.pending',
    aggregateId: approvalId,
    aggregateVersion: row.version,
    data: { approval: approvalView(row, []) },
  });
  const standings = standingsOf(groups, []);
  return { approvalId, dateExpires: dateExpires?.toISOString() ?? null, rejectsItselfAfterMs, groups: standings };
}

function heldBy(activity: Activity, approvalId: string): Activity {
  if ('transferRequest' in activity) return { ...activity, transferRequest: { ...activity.transferRequest, approvalId } };
  if ('transactionRequest' in activity)
    return { ...activity, transactionRequest: { ...activity.transactionRequest, approvalId } };
  if ('signatureRequest' in activity) return { ...activity, signatureRequest: { ...activity.signatureRequest, approvalId } };
  return { ...activity, changeRequest: { ...activity.changeRequest, approvalId } };
}

function blockedReason({ policies, verdict }: Verdicts): string | null {
  const [first] = verdict.blockedBy;
  const name = policies.find(({ id }) => id === first)?.name;
  return first === undefined ? null : `Blocked by policy ${name ?? ''} (${first})`;
}
