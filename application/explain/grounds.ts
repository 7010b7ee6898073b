import type { Evaluation } from '../../domain/approvals';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { ApprovalVoteEntity } from '../../entities/approvals/approval-vote.entity';
import type { Reader } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import type { OfflineRequestEntity } from '../../entities/fleets/offline-request.entity';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import { type Policy, policyStore } from '../../entities/policies/policy.store';
import { VerdictEntity } from '../../entities/policies/verdict.entity';
import { ScreeningEntity } from '../../entities/screenings/screening.entity';
import { TravelRuleMessageEntity } from '../../entities/travel-rules/travel-rule-message.entity';
import { type NamedPeople, peopleNow } from '../approvals/people';

export type Explained = {
  readonly orgId: string;
  readonly id: string;
  readonly initiatorId: string;
  readonly approvalId: string | null;
};

/** No explanation rests on data from Temporal (P12). */
export type ExplanationGrounds = {
  readonly approval: ApprovalEntity | undefined;
  readonly votes: readonly ApprovalVoteEntity[];
  readonly verdict: VerdictEntity | undefined;
  readonly freeze: FreezeEntity | undefined;
  readonly frozenSince: Date | undefined;
  /** Undefined unless the record waits for a device. */
  readonly offline: OfflineRequestEntity | undefined;
  /** The group that carries the record to the device. */
  readonly fleetGroup: FleetGroupEntity | undefined;
  readonly screenings: readonly ScreeningEntity[];
  readonly travelRule: TravelRuleMessageEntity | undefined;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly people: NamedPeople;
};

export async function explanationGroundsOf(
  reader: Reader,
  { orgId, id, initiatorId, approvalId }: Explained,
): Promise<ExplanationGrounds> {
  const approvalIds = approvalId === null ? [] : [approvalId];
  const [approvals, votes, verdict, met, offline, screenings, travelRule] = await Promise.all([
    approvalId === null ? undefined : approvalStore.find(reader, approvalId),
    approvalStore.votes(reader, approvalIds),
    reader.row(VerdictEntity, 'WHERE t.activity_id = $1 ORDER BY t.id DESC LIMIT 1', [id]),
    freezeRecordStore.waitingOf(reader, id),
    offlineRequestStore.unsigned(reader, id),
    reader.rows(ScreeningEntity, 'WHERE t.activity_id = $1 ORDER BY t.date_asked, t.vendor', [id]),
    reader.row(TravelRuleMessageEntity, 'WHERE t.transfer_id = $1', [id]),
  ]);
  const [freeze, fleetGroup] = await Promise.all([
    met && freezeRecordStore.find(reader, met.freezeId),
    offline && fleetGroupStore.openOf(reader, offline.storeId),
  ]);
  const others = [freeze?.createdBy, fleetGroup?.createdBy].filter((id) => typeof id === 'string');
  const userIds = [initiatorId, ...(approvals?.groups ?? []).flatMap(listed), ...others];
  const [policies, people] = await Promise.all([
    policyStore.among(reader, policyIdsOf(approvals, verdict)),
    peopleNow(reader, orgId, [...new Set(userIds)]),
  ]);
  return {
    approval: approvals,
    votes,
    verdict,
    freeze: freeze?.dateReleased === null ? freeze : undefined,
    frozenSince: met?.dateMet,
    offline,
    fleetGroup: fleetGroup && fleetGroup.id === offline?.groupId ? fleetGroup : undefined,
    screenings,
    travelRule,
    policies: new Map(policies.map((policy) => [policy.id, policy])),
    people,
  };
}

const listed = ({ voterIds, denierIds, escalation }: ApprovalEntity['groups'][number]): readonly string[] => [
  ...voterIds,
  ...denierIds,
  ...(escalation ? [...escalation.voterIds, ...escalation.denierIds] : []),
];

function policyIdsOf(approval: ApprovalEntity | undefined, verdict: VerdictEntity | undefined): string[] {
  const evaluations = [verdict?.evaluations, verdict?.shadows].flatMap((one) => (one ?? []) as readonly Evaluation[]);
  const asked = [...(approval?.groups ?? []), ...(approval?.evaluations ?? []), ...evaluations];
  return [...new Set(asked.map(({ policyId }) => policyId))];
}
