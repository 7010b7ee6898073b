import { AMENDMENTS, type AmendmentKind } from '../../../domain/amendments';
import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import { paramsOf } from '../../../domain/causes';
import { CHARTER_OPERATION_IDS } from '../../../domain/charters';
import { evaluate } from '../../../policy/evaluate';
import type { AmendCharterOrder, Amendment } from '../../charters/amend-charter-order';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { CharterChange } from '../../record/charter-entries';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { assertNotOlder, heldAgeMsMax, type Judging } from '../people/action-age';
import { approvedEnvelope } from '../people/approved-groups';
import { assertCounts, initiatingActionOf, type SignedAction, voteActionIn } from '../people/signed-action';
import type { Amender, AskedAmendment, KeysKnown } from './amender';
import { AMENDERS } from './amenders';

export type JudgedAmendment = {
  readonly action: SignedAction;
  readonly changes: readonly CharterChange[];
  /** True if people approved this change to the version in force. The age of the action then no longer matters. */
  readonly isApproved: boolean;
};
type Grounds = { readonly evidence: AmendCharterOrder['evidence']; readonly judging: Judging };

/**
 * Throws a `Refusal` unless a member with the right to make this change signed exactly this change recently. If the policies on
 * changes demand an approval, people must also have approved the change.
 */
export function judgeAmendment(
  charter: CharterInForce,
  { amendment, evidence }: Pick<AmendCharterOrder, 'amendment' | 'evidence'>,
  { keys, ...judging }: Judging & { readonly keys: KeysKnown },
): JudgedAmendment {
  const action = initiatingActionOf(charter, evidence, judging);
  const asked = { charter, action, params: amendmentParams(amendment.kind, action), amendment, keys };
  return { action, ...judge(amendment.kind, asked, { evidence, judging }) };
}

function judge<K extends AmendmentKind>(kind: K, asked: AskedAmendment<K>, grounds: Grounds): Omit<JudgedAmendment, 'action'> {
  assertAllowed(kind, asked.action);
  const amender: Amender<K> = AMENDERS[kind];
  const changes = amender.changes(asked);
  const held = (amender.changedPolicies?.(asked) ?? []).map((policyId) => judgeByPolicies(policyId, amender, asked, grounds));
  const isApproved = held.includes('Approved');
  if (!isApproved) assertNotOlder(asked.action, ACTION_AGE_MS_MAX.unapproved, grounds.judging);
  return { changes, isApproved };
}

/** Every member may remove their own credentials. */
function assertAllowed(kind: AmendmentKind, action: SignedAction): void {
  const operation = CHARTER_OPERATION_IDS.find((id) => id === kind);
  if (operation !== undefined) assertCounts(action, operation);
  else refuseUnless(AMENDMENTS[kind].permissions.length === 0, 'NotPermitted');
}

/** The path parameters of the action. Throws a `Refusal` unless the action is for an operation of this kind. */
export function amendmentParams(kind: AmendmentKind, { method, path }: SignedAction): Readonly<Record<string, string>> {
  const wanted = AMENDMENTS[kind];
  const params = method === wanted.method ? paramsOf(wanted.path, path) : undefined;
  if (!params) throw new Refusal('RequestMismatch');
  return params;
}

function judgeByPolicies<K extends AmendmentKind>(
  policyId: string,
  { isApproved }: Amender<K>,
  asked: AskedAmendment<K>,
  { evidence, judging }: Grounds,
): 'Cleared' | 'Approved' {
  const { charter, action } = asked;
  const initiatorId = action.member.userId;
  const verdict = evaluate(charter.content.changePolicies, { initiatorId, permissionId: null, policyId });
  refuseUnless(verdict.outcome !== 'Blocked', 'PolicyBlocked');
  if (verdict.outcome === 'Cleared') return 'Cleared';
  const requestId = changeRequestIn(asked.amendment);
  if (!isApproved || requestId === undefined) throw new Refusal('ApprovalMissing');
  const ageMsMax = heldAgeMsMax(verdict.autoRejectTimeoutMinutes);
  assertNotOlder(action, ageMsMax, judging);
  const initiated = { initiatorId, initiatedAtMs: action.anchoredAtMs };
  const request = { requestId, activityKind: 'Policies:Modify', ...initiated, demands: verdict.groups } as const;
  const actionOf = voteActionIn(charter, ageMsMax, judging);
  const envelope = approvedEnvelope(charter, { ...request, evidence, actionOf }, judging.nowMs);
  refuseUnless(isApproved(asked, envelope), 'ApprovalMismatch');
  return 'Approved';
}

const changeRequestIn = (amendment: Amendment): string | undefined =>
  'changeRequestId' in amendment ? amendment.changeRequestId : undefined;
