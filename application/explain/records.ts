import type { Evaluation } from '../../domain/approvals';
import { AppError, invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { OPERATION_OPEN } from '../../domain/lanes';
import { equalPaymentOf } from '../../domain/transfers';
import { isTravelRuleEnd } from '../../domain/travel-rules';
import {
  type Blocker,
  currentBlocker,
  STAGE_OF_CHANGE,
  STAGE_OF_SIGNATURE,
  STAGE_OF_TRANSFER,
  type Stage,
  stageOf,
} from '../../domain/waiting-stages';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Reader } from '../../entities/database';
import { laneCareStore } from '../../entities/outgoing/lane-care.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { signatureStore } from '../../entities/signatures/signature.store';
import { approvalEndOf, explainedApproval, nextSteps } from './approval';
import { feeOfSignature, feeOfTransfer } from './explained-fee';
import type { Explanation, JudgedFacts, NamedPerson, PolicyFinding, SubjectKind } from './explanation';
import { type Explained, type ExplanationGrounds, explanationGroundsOf } from './grounds';
import { SUBJECT_WORDS, sentencesOf } from './sentences';
import { waitingAmendmentsOf } from './waiting-amendments';
import { usdInWords } from './words';

type Told = Explained & {
  readonly kind: SubjectKind;
  readonly base: Stage;
  readonly state: string;
  readonly reason: string | null;
  readonly version: number;
  readonly hindrance: Blocker | null;
  readonly isJudged: boolean;
  /** The earlier request that this request seems to duplicate. Undefined unless this request waits for confirmation. */
  readonly equal: ReturnType<typeof equalPaymentOf>;
  readonly replacement: Explanation['replacement'];
  readonly waitingAmendments: Explanation['waitingAmendments'];
  readonly fee: Explanation['fee'];
  readonly dateRequested: Date;
  /** When the record reached its current state, if the row contains that date. */
  readonly dateReached: Date | null;
  /** True if the service made the record by itself, on behalf of the initiator. */
  readonly madeByService?: boolean;
};

export const explainTransfer = async (reader: Reader, row: OutgoingEntity): Promise<Explanation> =>
  explain(reader, await ofTransfer(reader, row));

export const explainSignature = async (reader: Reader, row: SignatureEntity): Promise<Explanation> =>
  explain(reader, await ofSignature(reader, row));

/** The approval may belong to a record of any kind. Throws `NotFound`. */
export async function explainApproval(reader: Reader, approvalId: string): Promise<Explanation> {
  const approval = isId('approval', approvalId) ? await approvalStore.find(reader, approvalId) : undefined;
  if (!approval) throw new AppError('NotFound', 'approval not found', { approvalId });
  const { activityId } = approval;
  const [transfer, signature, change] = await Promise.all([
    outgoingStore.find(reader, activityId),
    signatureStore.find(reader, activityId),
    changeRequestStore.find(reader, activityId),
  ]);
  const told =
    (transfer && (await ofTransfer(reader, transfer))) ??
    (signature && (await ofSignature(reader, signature))) ??
    (change && ofChange(change));
  invariant(told, 'the activity of an approval is a record');
  if (told.approvalId === approvalId) return explain(reader, told);
  // The record has a later approval now, so the approval with this id is obsolete.
  return explain(reader, { ...told, approvalId, base: 'Ended', state: approval.status, reason: 'it has a later approval' });
}

const ofTransfer = async (reader: Reader, row: OutgoingEntity): Promise<Told> => ({
  ...row,
  hindrance: row.state === 'Broadcasted' ? await blockOf(reader, row) : row.hindrance,
  kind: row.form,
  initiatorId: row.requesterUserId,
  base: STAGE_OF_TRANSFER[row.state],
  isJudged: row.state !== 'Approved' || row.policyEpoch !== null,
  equal: equalPaymentOf(row),
  replacement: replacementOf(row),
  waitingAmendments: await waitingAmendmentsOf(reader, row),
  fee: await feeOfTransfer(reader, row),
  dateReached: row.dateConfirmed ?? row.dateBroadcasted ?? row.waitingSince ?? row.datePolicyResolved,
});

/** A lane, which is the queue of one sender on one network, records one obstacle for all its transactions. */
async function blockOf(
  reader: Reader,
  { id, network, laneAddress: address, version, hindrance }: OutgoingEntity,
): Promise<Blocker | null> {
  const payload = await payloadStore.of(reader, id);
  if (payload?.state !== 'Broadcasted') return null;
  const trouble = await laneCareStore.troubleOf(reader, { network, address }, payload);
  if (!trouble) return hindrance?.detail === OPERATION_OPEN ? hindrance : null;
  return { kind: 'LaneBlocked', version, since: trouble.since, detail: trouble.kind };
}

const ofSignature = async (reader: Reader, row: SignatureEntity): Promise<Told> => ({
  ...row,
  kind: 'Signature',
  initiatorId: row.requesterUserId,
  base: STAGE_OF_SIGNATURE[row.state],
  isJudged: row.state !== 'Approved' || row.policyEpoch !== null,
  equal: undefined,
  replacement: null,
  waitingAmendments: await waitingAmendmentsOf(reader, row),
  fee: feeOfSignature(row),
  dateReached: row.dateConfirmed ?? row.dateSigned ?? row.datePolicyResolved,
});

const ofChange = (row: ChangeRequestEntity): Told => ({
  ...row,
  kind: 'ChangeRequest',
  initiatorId: row.requesterUserId,
  base: STAGE_OF_CHANGE[row.status],
  state: row.status,
  hindrance: null,
  isJudged: true,
  equal: undefined,
  replacement: null,
  waitingAmendments: [],
  fee: null,
  dateRequested: row.dateCreated,
  dateReached: row.dateResolved,
});

function replacementOf({
  state,
  replacementKind: kind,
  replacesId,
  cancelsSignatureId,
  replacedById,
  abortAsked,
}: OutgoingEntity): Explanation['replacement'] {
  const isAborting = state === 'Signing' && abortAsked !== null;
  const takesPlaceOf = replacesId ?? cancelsSignatureId;
  if (takesPlaceOf === null && replacedById === null && !isAborting) return null;
  return { kind, takesPlaceOf, replacedBy: replacedById, isAborting };
}

async function explain(reader: Reader, told: Told): Promise<Explanation> {
  const grounds = await explanationGroundsOf(reader, told);
  const { freeze, people, screenings, travelRule } = grounds;
  const named = (userId: string) => ({ userId, name: people.names.get(userId) ?? userId });
  const stage = settledStage(told, grounds);
  const approval = explainedApproval(grounds);
  const what = SUBJECT_WORDS[told.kind];
  const hindrance = currentBlocker(told);
  const parts = {
    subject: { kind: told.kind, id: told.id },
    stage,
    since: sinceOf(stage, told, grounds).toISOString(),
    until: untilOf(stage, told, grounds),
    initiator: named(told.initiatorId),
    approval,
    freeze: freeze
      ? {
          freezeId: freeze.id,
          target: { kind: freeze.targetKind, id: freeze.targetId },
          reason: freeze.reason,
          since: freeze.dateCreated.toISOString(),
          by: freeze.createdBy === null ? null : named(freeze.createdBy),
        }
      : null,
    offline: stage === 'OfflineSigning' ? offlineOf(grounds, named) : null,
    screenings: screenings.map(({ id, vendor, dateAsked, dateAnswered, result }) => ({
      screeningId: id,
      vendor,
      dateAsked: dateAsked.toISOString(),
      dateAnswered: dateAnswered?.toISOString() ?? null,
      result: result?.kind ?? null,
    })),
    travelRule: travelRule
      ? {
          messageId: travelRule.id,
          state: travelRule.state,
          dateAsked: travelRule.dateAsked.toISOString(),
          dateTriggers: travelRule.dateTriggers?.toISOString() ?? null,
          dateClears: travelRule.dateClears?.toISOString() ?? null,
        }
      : null,
    hindrance:
      hindrance && stage === hindrance.kind ? { kind: hindrance.kind, since: hindrance.since, detail: hindrance.detail } : null,
    equalPayment: told.equal ? { requestId: told.equal.equalToId, until: told.equal.until.toISOString() } : null,
    replacement: told.replacement,
    waitingAmendments: told.waitingAmendments,
    fee: told.fee,
    facts: factsOf(grounds),
    policies: findingsOf(grounds),
    next: nextSteps(grounds, approval, what),
  };
  const { state, reason, madeByService = false } = told;
  const decision = approvalEndOf(grounds, approval);
  const sentences = sentencesOf({ ...parts, state, reason, madeByService, decision });
  return { ...parts, summary: sentences[0] ?? '', sentences };
}

function offlineOf({ offline, fleetGroup }: ExplanationGrounds, named: (userId: string) => NamedPerson): Explanation['offline'] {
  if (!offline) return null;
  const group = fleetGroup && {
    groupId: fleetGroup.id,
    since: fleetGroup.dateCreated.toISOString(),
    by: named(fleetGroup.createdBy),
  };
  return { storeId: offline.storeId, group: group ?? null };
}

function settledStage(told: Told, { approval, freeze, offline, screenings, travelRule }: ExplanationGrounds): Stage {
  const { base } = told;
  // The decision was made, but the record does not show the decision yet.
  if (base === 'Approval' && approval && approval.status !== 'Pending') return 'Applying';
  return stageOf(base, {
    ...told,
    isEqual: told.equal !== undefined,
    isOffline: offline !== undefined,
    isFrozen: freeze !== undefined,
    asks: {
      Screening: screenings.some(({ dateAnswered }) => dateAnswered === null),
      TravelRule: travelRule !== undefined && !isTravelRuleEnd(travelRule.state),
    },
  });
}

function sinceOf(stage: Stage, told: Told, { approval, frozenSince, offline, screenings, travelRule }: ExplanationGrounds): Date {
  const reached = told.dateReached ?? told.dateRequested;
  const hindrance = currentBlocker(told);
  if (hindrance?.kind === stage) return new Date(hindrance.since);
  if (stage === 'Approval') return approval?.dateCreated ?? reached;
  if (stage === 'Applying') return approval?.dateResolved ?? reached;
  if (stage === 'Frozen') return frozenSince ?? reached;
  if (stage === 'OfflineSigning') return offline?.dateCreated ?? reached;
  if (stage === 'Screening') return screenings.find(({ dateAnswered }) => dateAnswered === null)?.dateAsked ?? reached;
  if (stage === 'TravelRule') return travelRule?.dateAsked ?? reached;
  return reached;
}

function untilOf(stage: Stage, { kind, equal }: Told, { approval, travelRule }: ExplanationGrounds): Explanation['until'] {
  const what = SUBJECT_WORDS[kind];
  if (stage === 'EqualPayment' && equal) return { date: equal.until.toISOString(), outcome: `${what} fails automatically` };
  if (stage === 'Approval' && approval?.dateExpires)
    return { date: approval.dateExpires.toISOString(), outcome: `${what} is rejected automatically` };
  if (stage !== 'TravelRule' || !travelRule) return null;
  const { dateTriggers, dateClears } = travelRule;
  const clears = dateClears !== null && (dateTriggers === null || dateClears < dateTriggers);
  if (clears) return { date: dateClears.toISOString(), outcome: 'silence lets it proceed' };
  return dateTriggers === null ? null : { date: dateTriggers.toISOString(), outcome: 'silence triggers the travel rule policy' };
}

type StoredFacts = Partial<{
  readonly walletId: string | null;
  readonly otherWallets: readonly { readonly walletId: string }[];
  readonly amountUsdMicro: string | null;
  readonly recipients: readonly string[];
  readonly network: string;
}>;

function factsOf({ verdict }: ExplanationGrounds): JudgedFacts | null {
  if (!verdict) return null;
  const {
    walletId = null,
    otherWallets = [],
    amountUsdMicro = null,
    recipients = [],
    network = null,
  } = verdict.facts as StoredFacts;
  return {
    dateJudged: verdict.dateCreated.toISOString(),
    outcome: verdict.outcome,
    amountUsd: amountUsdMicro === null ? null : usdInWords(amountUsdMicro),
    recipients: [...recipients],
    network,
    walletIds: [...(walletId === null ? [] : [walletId]), ...otherWallets.map((wallet) => wallet.walletId)],
  };
}

/** Reads the record's last verdict or, without a verdict, the record's approval. */
function findingsOf({ verdict, approval, policies }: ExplanationGrounds): PolicyFinding[] {
  const judged = (verdict?.evaluations ?? approval?.evaluations ?? []) as readonly Evaluation[];
  const tried = (verdict?.shadows ?? []) as readonly Evaluation[];
  const finding =
    (mode: PolicyFinding['mode']) =>
    ({ policyId, policyVersion, triggered, reason }: Evaluation): PolicyFinding => {
      const policy = policies.get(policyId);
      return {
        policyId,
        name: policy?.name ?? policyId,
        version: policyVersion,
        mode,
        rule: policy?.rule.kind ?? null,
        action: policy?.action.kind ?? null,
        triggered,
        reason,
      };
    };
  return [...judged.map(finding('Enforce')), ...tried.map(finding('Shadow'))];
}
