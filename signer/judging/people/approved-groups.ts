import { z } from 'zod';
import { type ApprovalGroup, isDecisionPath } from '../../../domain/approvals';
import { CHARTER_ACTIVITIES, type CharterActivity } from '../../../domain/charters';
import { MINUTE_MS } from '../../../domain/durations';
import type { Approvers, GroupDefinition } from '../../../domain/policies';
import { digestOf } from '../../../platform/canonical';
import { digestOfDecisions } from '../../../platform/decided-approvals';
import { parseStrictJson } from '../../../platform/strict-json';
import { areAsked, voteOutcome } from '../../../policy/approvals';
import { groupsOf } from '../../../policy/groups';
import type { GroupDemand } from '../../../policy/types';
import { charterPolicies } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Evidence } from '../../record/evidence';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { hex, Id } from '../../wire/schemas';
import type { ActionEvidence, AssertedAction } from './signed-action';

const Ids = z.array(Id).readonly();
const Hands = z.record(Id, Id);
const Seats = { voterIds: Ids, denierIds: Ids, newIds: Ids.exactOptional(), hands: Hands.exactOptional() };
const Group = z.strictObject({
  policyId: Id,
  groupId: z.string().max(64).exactOptional(),
  name: z.string().max(256).nullable(),
  quorum: z.int().positive(),
  ...Seats,
  escalation: z.strictObject({ from: z.iso.datetime(), ...Seats }).exactOptional(),
});
type Group = z.infer<typeof Group>;

/** The content of an approval, whose digest the approvers signed. */
export const Committed = z.looseObject({
  v: z.literal(1),
  org: Id,
  activityKind: z.enum(CHARTER_ACTIVITIES),
  activityId: Id,
  envelope: z.looseObject({}),
  groups: z.array(Group).min(1),
});
export type Envelope = z.infer<typeof Committed>['envelope'];

const Decision = z.strictObject({ value: z.enum(['Approved', 'Denied']), reason: z.string().optional() });
const Decisions = z.strictObject({ decisions: z.array(Decision.extend({ approvalId: Id })) });
const Decided = z.array(z.strictObject({ approvalId: Id, digest: hex(32).nullable() }));

const readJson = (text: string): unknown => {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  return json.ok ? json.value : undefined;
};

type Approval = Extract<Evidence, { readonly kind: 'Approval' }>;
const isApproval = (one: Evidence): one is Approval => one.kind === 'Approval';
const isVote = (one: Evidence): one is ActionEvidence => one.kind === 'Approver';

/** Whether the signed action approves exactly this approval, in a single or in a bulk decision. */
export function approves(
  { method, path, body, approvalDigest }: AssertedAction,
  { approvalId, digest }: Approval,
  decided?: string,
): boolean {
  if (method !== 'POST') return false;
  if (isDecisionPath(path, approvalId))
    return approvalDigest === digest && Decision.safeParse(readJson(body)).data?.value === 'Approved';
  if (!isDecisionPath(path) || decided === undefined) return false;
  const list = Decided.safeParse(readJson(decided)).data;
  if (!list || digestOfDecisions(list) !== approvalDigest) return false;
  const said = Decisions.safeParse(readJson(body)).data?.decisions.find((one) => one.approvalId === approvalId);
  return said?.value === 'Approved' && list.some((one) => one.approvalId === approvalId && one.digest === digest);
}

/** The definition of a group in the charter, even if its policy did not trigger this time. */
const definitionOf = ({ content }: CharterInForce, { policyId, groupId }: Group): GroupDefinition | undefined =>
  charterPolicies(content)
    .filter(({ id }) => id === policyId)
    .flatMap(({ action }) => groupsOf(action))
    .find(({ id }) => id === groupId);

type Initiated = { readonly hand: string; readonly atMs: number };

/**
 * The group with only the voters that the charter allows. A user outside the charter has no vote. A service account votes only if
 * the group names it, and its vote is treated as its creator's vote. The delay of an escalation begins in the service when the
 * approval is created. The signer knows only the earlier anchor (dated text) of the initiating action, so here the delay begins
 * at the anchor.
 */
function seatedByCharter(charter: CharterInForce, group: Group, initiator: Initiated): ApprovalGroup {
  const definition = definitionOf(charter, group);
  const may = (userId: string, named: Approvers | undefined): boolean => {
    const member = charter.member(userId);
    const isNamed = definition?.serviceAccountsCanApprove === true && named?.userId?.in.includes(userId) === true;
    if (!member || (member.isServiceAccount && !isNamed)) return false;
    return member.hand !== initiator.hand || definition?.initiatorCanApprove === true;
  };
  const seatsOf = (ids: readonly string[], named: Approvers | undefined) => {
    const voterIds = ids.filter((id) => may(id, named));
    return { voterIds, denierIds: [], hands: Object.fromEntries(voterIds.map((id) => [id, charter.member(id)?.hand ?? id])) };
  };
  const { policyId, groupId, name, quorum, voterIds, escalation } = group;
  const seats = {
    policyId,
    name,
    quorum,
    ...seatsOf(voterIds, definition?.approvers),
    ...(groupId === undefined ? {} : { groupId }),
  };
  const later = definition?.escalation;
  if (escalation === undefined || later === undefined) return seats;
  const from = new Date(initiator.atMs + later.afterMinutes * MINUTE_MS).toISOString();
  return { ...seats, escalation: { from, ...seatsOf(escalation.voterIds, later.approvers) } };
}

type Asked = {
  /** A transfer, a transaction, a signature or a change request. The export of a key is a change request. */
  readonly requestId: string;
  readonly activityKind: CharterActivity;
  readonly initiatorId: string;
  /** The time of the anchor of the initiating action. */
  readonly initiatedAtMs: number;
  readonly demands: readonly GroupDemand[];
  readonly evidence: readonly Evidence[];
  /** Verifies the action of a vote. Throws a `Refusal` for an action that is not accepted. */
  readonly actionOf: (vote: ActionEvidence) => AssertedAction;
};

/**
 * Throws a `Refusal` unless the evidence contains an approval of this request with the groups that the policies demand. Enough
 * members of the charter must have signed the digest of the approval. Returns the approved content.
 */
export function approvedEnvelope(
  charter: CharterInForce,
  { requestId, activityKind, initiatorId, initiatedAtMs, demands, evidence, actionOf }: Asked,
  nowMs: number,
): Envelope {
  const approval = evidence.find(isApproval);
  if (!approval) throw new Refusal('ApprovalMissing');
  const committed = Committed.safeParse(readJson(approval.committed)).data;
  refuseUnless(
    committed !== undefined && digestOf(committed as Parameters<typeof digestOf>[0]) === approval.digest,
    'ApprovalMismatch',
  );
  const isOfOrg = committed.org === charter.content.organizationId;
  const isOfThis = isOfOrg && committed.activityId === requestId && committed.activityKind === activityKind;
  refuseUnless(isOfThis && areAsked(committed.groups, demands, initiatorId), 'ApprovalMismatch');
  const initiator = { hand: charter.member(initiatorId)?.hand ?? initiatorId, atMs: initiatedAtMs };
  const groups = committed.groups.map((group) => seatedByCharter(charter, group, initiator));
  const votes = evidence.filter(isVote).flatMap((one) => {
    const action = voteIn(one, actionOf);
    const isCounted = action !== undefined && action.refusalFor('createApprovalDecision') === undefined;
    return isCounted && approves(action, approval, one.decided)
      ? [{ userId: action.member.userId, value: 'Approved' as const }]
      : [];
  });
  refuseUnless(voteOutcome(groups, votes, new Date(nowMs)) === 'Approved', 'VotesMissing');
  return committed.envelope;
}

/** Undefined for an invalid vote, which is ignored. The other votes may still be enough. */
function voteIn(vote: ActionEvidence, actionOf: Asked['actionOf']): AssertedAction | undefined {
  try {
    return actionOf(vote);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
