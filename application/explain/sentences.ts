import type { FreezeTarget } from '../../domain/freezes';
import { LANE_TROUBLES, type LaneTroubleKind, OPERATION_OPEN } from '../../domain/lanes';
import type { ScreeningVendor } from '../../domain/screenings';
import type { Stage } from '../../domain/waiting-stages';
import { OBSTACLE_WORDS } from '../policies/reachability-view';
import { groupInWords } from './approval';
import { feeInWords } from './explained-fee';
import type { ApprovalEnd, ExplainedApproval, Explanation, Seat, SubjectKind } from './explanation';
import { datesInWords, listInWords, peopleInWords } from './words';

export const SUBJECT_WORDS: Readonly<Record<SubjectKind, string>> = {
  Transfer: 'the transfer',
  Transaction: 'the transaction',
  Signature: 'the signature request',
  ChangeRequest: 'the change',
};

type Told = Omit<Explanation, 'summary' | 'sentences'> & {
  readonly state: string;
  readonly reason: string | null;
  readonly madeByService: boolean;
  readonly decision: ApprovalEnd | null;
};

const SUMMARIES: Readonly<Record<Stage, (told: Told, what: string) => string>> = {
  EqualPayment: ({ equalPayment }, what) =>
    `${upper(what)} looks like a duplicate of ${equalPayment?.requestId ?? 'an earlier request'} and waits for confirmation.`,
  Judging: (_told, what) => `${upper(what)} is being judged by the policies in force.`,
  Screening: ({ screenings }, what) => `${upper(what)} waits for an answer from ${listInWords(openVendors(screenings))}.`,
  TravelRule: ({ travelRule }, what) => `${upper(what)} waits for the travel rule: ${messageWords(travelRule)}.`,
  Approval: ({ approval }, what) => `${upper(what)} waits for people: ${approval ? openWords(approval) : 'its approval'}.`,
  Frozen: ({ freeze }, what) => `${upper(what)} waits because ${freeze ? frozenWords(freeze.target) : 'something'} is frozen.`,
  Preparing: (_told, what) => `${upper(what)} may proceed and is being prepared.`,
  LaneTurn: ({ hindrance }, what) => `${upper(what)} waits for ${laneWords(hindrance?.detail ?? null)}.`,
  FeesAboveCeiling: (_told, what) =>
    `${upper(what)} waits because the network's fees are above the approved ceiling; it is retried every minute.`,
  NetworkUnavailable: (_told, what) => `${upper(what)} waits for a node of the network to respond; it is retried automatically.`,
  SignerUnavailable: (_told, what) => `${upper(what)} waits for the signer, which does not respond; it is retried automatically.`,
  Retrying: ({ hindrance }, what) =>
    hindrance?.detail === 'EncryptionUnavailable'
      ? `${upper(what)} waits for its amount to be encrypted: the encryption service gave no usable answer and is asked again.`
      : `The last attempt to process ${what} failed; it is retried automatically.`,
  StoppedForOperator: ({ hindrance }, what) =>
    `${upper(what)} has stopped and needs an operator${hindrance?.detail ? ` (${hindrance.detail})` : ''}; nothing is lost.`,
  LaneBlocked: ({ hindrance }, what) =>
    `${upper(what)} was sent and cannot get into a block: ${blockWords(hindrance?.detail ?? null)}.`,
  OfflineSigning: ({ offline }, what) =>
    offline?.group
      ? `${upper(what)} is on its way to an offline device, in the group ${offline.group.groupId}.`
      : `${upper(what)} waits for the next group that carries it to an offline device.`,
  Signing: (_told, what) => `${upper(what)} is with the signer.`,
  Broadcasting: (_told, what) => `${upper(what)} is signed and being sent to the network.`,
  Confirming: (_told, what) => `${upper(what)} was sent and waits for the network to confirm it.`,
  Applying: ({ decision }, what) => {
    const next = isRefusal(decision) ? 'It is rejected next.' : 'It proceeds next, unless the policies in force stop it.';
    return `${upper(what)} ${decision ? decisionWords(decision) : 'was approved'}. ${next}`;
  },
  Ended: ({ state, reason, decision }, what) => {
    if (state === 'Rejected' && isRefusal(decision)) return `${upper(what)} was rejected because it ${decisionWords(decision)}.`;
    return `${upper(what)} has ended: ${state}${reason ? ` (${reason})` : ''}.`;
  },
};

const isRefusal = (decision: ApprovalEnd | null): decision is ApprovalEnd => decision !== null && decision.kind !== 'Approved';

function decisionWords({ kind, by }: ApprovalEnd): string {
  const names = by.length === 0 ? '' : ` by ${listInWords(by.map(({ name }) => name))}`;
  const words: Readonly<Record<ApprovalEnd['kind'], string>> = {
    Approved: `was approved${names}`,
    Denied: `was denied${names}`,
    Withdrawn: `was withdrawn${names}`,
    Unasked: 'lost its approval groups, which were removed from their policies',
    Expired: 'was not decided before its approval expired',
  };
  return words[kind];
}

function votesInWords(approval: ExplainedApproval | null): string[] {
  const seats = (approval?.groups ?? []).flatMap(({ people }) => people);
  const voters = [...new Map(seats.map((seat) => [seat.userId, seat])).values()];
  return voters.flatMap(({ name, vote }) => {
    if (!vote) return [];
    const verb = vote.value === 'Denied' ? 'denied' : 'approved';
    return [`${name} ${verb} it at ${datesInWords(new Date(vote.date))}${vote.reason ? `: ${vote.reason}` : ''}.`];
  });
}

export const summaryOf = (told: Told): string => SUMMARIES[told.stage](told, SUBJECT_WORDS[told.subject.kind]);

/** The summary comes first. */
export function sentencesOf(told: Told): string[] {
  const { initiator, since, until, approval, freeze, offline, fee, facts, policies, next, stage, replacement } = told;
  const isOpen = stage !== 'Ended';
  const triggered = policies.filter((policy) => policy.triggered && policy.mode === 'Enforce');
  const tried = policies.filter((policy) => policy.triggered && policy.mode === 'Shadow');
  return [
    summaryOf(told),
    told.madeByService
      ? `The service made it for ${initiator.name}, so that the wallet's other transactions can proceed.`
      : `${initiator.name} requested it.`,
    ...(replacement ? replacementInWords(replacement) : []),
    ...amendmentsInWords(told.waitingAmendments),
    ...(isOpen ? [`It has been in this state since ${datesInWords(new Date(since))}.`] : []),
    ...(until ? [`${upper(until.outcome)} at ${datesInWords(new Date(until.date))}.`] : []),
    ...(freeze
      ? [`${upper(frozenWords(freeze.target))} was frozen by ${freeze.by?.name ?? 'the service itself'}: ${freeze.reason}.`]
      : []),
    ...(offline?.group ? [`${offline.group.by.name} made the group at ${datesInWords(new Date(offline.group.since))}.`] : []),
    ...(facts ? [factsInWords(facts)] : []),
    ...(fee ? [feeInWords(fee)] : []),
    ...triggered.map(({ name, reason }) => `The policy ${name} triggered: ${reason}.`),
    ...tried.map(
      ({ name, reason }) => `The policy ${name} is only tried out and stops nothing; it would have triggered: ${reason}.`,
    ),
    ...(approval?.status === 'Pending' ? approvalInWords(approval) : votesInWords(approval)),
    ...next.map(({ sentence }) => sentence),
  ];
}

function replacementInWords({ kind, takesPlaceOf, replacedBy, isAborting }: NonNullable<Told['replacement']>): string[] {
  const takes = kind === 'Cancel' ? 'uses up its nonce or coins and pays no one' : 'pays the same for a higher fee';
  return [
    ...(takesPlaceOf === null ? [] : [`It replaces ${takesPlaceOf}: it ${takes}. Only one of the two goes through.`]),
    ...(replacedBy === null ? [] : [`${replacedBy} was made to replace it. Only one of the two goes through.`]),
    ...(isAborting ? ['The signer has been asked never to sign it.'] : []),
  ];
}

function amendmentsInWords(changes: Told['waitingAmendments']): string[] {
  const [first] = changes;
  if (!first) return [];
  const named = `${first.amendmentId} (${first.kind}), which`;
  const which = changes.length === 1 ? `the change ${named}` : `${changes.length} changes. The first is ${named}`;
  const since = datesInWords(new Date(first.since));
  return [
    `The charter of the signer does not contain ${which} has waited since ${since}.`,
    'The request can be made again once the charter contains the change.',
  ];
}

function factsInWords({ amountUsd, recipients, network }: NonNullable<Told['facts']>): string {
  const amount = amountUsd === null ? 'an unknown amount' : `${amountUsd} USD`;
  const to = recipients.length === 0 ? 'unknown recipients' : listInWords(recipients);
  return network === null ? 'It changes who may do what.' : `It was judged as ${amount} on ${network || 'no network'} to ${to}.`;
}

function approvalInWords(approval: ExplainedApproval): string[] {
  const lost = approval.groups.flatMap(({ most, quorum }, at) =>
    most < quorum
      ? [`${upper(groupInWords(approval.groups, at))} can reach ${most} of ${quorum} at most and can no longer be completed.`]
      : [],
  );
  return [
    ...approval.groups.flatMap((group, at) => groupSentences(group.people, group, groupInWords(approval.groups, at))),
    ...lost,
  ];
}

function groupSentences(
  people: readonly Seat[],
  { quorum, have, policyName }: ExplainedApproval['groups'][number],
  called: string,
) {
  const those = (standing: Seat['standing']) => people.filter((seat) => seat.standing === standing);
  const voted = those('HasVoted');
  const later = those('Later');
  const onlyDeny = those('MayOnlyDeny');
  return [
    `${upper(called)} of the policy ${policyName} has ${have} of ${quorum}.`,
    ...(voted.length > 0
      ? [`${listInWords(voted.map(({ name, vote }) => `${name} has ${vote?.value === 'Denied' ? 'denied' : 'approved'}`))}.`]
      : []),
    ...(later.length > 0
      ? [`From ${datesInWords(new Date(later[0]?.from ?? ''))} on, ${peopleInWords(later)} may also decide.`]
      : []),
    ...(onlyDeny.length > 0 ? [`${peopleInWords(onlyDeny)} may only deny it.`] : []),
    ...those('Gone').map(({ name, obstacle }) => `${name} ${obstacle ? OBSTACLE_WORDS[obstacle] : 'can no longer decide'}.`),
  ];
}

function openWords({ groups }: ExplainedApproval): string {
  const open = groups.flatMap(({ quorum, have, people }, at) => {
    const able = people.filter(({ standing }) => standing === 'MayDecide');
    const who = able.length === 0 ? '' : ` from ${peopleInWords(able)}`;
    return have < quorum ? [`${quorum - have} of ${quorum} in ${groupInWords(groups, at)}${who}`] : [];
  });
  return open.length === 0 ? 'all groups have their quorum' : listInWords(open);
}

const TARGET_WORDS: Readonly<Record<FreezeTarget, string>> = {
  Organization: 'the organization',
  Wallet: 'the wallet',
  Key: 'the key',
  Network: 'the network',
};
const frozenWords = ({ kind, id }: { readonly kind: FreezeTarget; readonly id: string }): string =>
  kind === 'Organization' ? TARGET_WORDS[kind] : `${TARGET_WORDS[kind]} ${id}`;

const openVendors = (screenings: Told['screenings']): ScreeningVendor[] => [
  ...new Set(screenings.filter(({ dateAnswered }) => dateAnswered === null).map(({ vendor }) => vendor)),
];

const messageWords = (message: Told['travelRule']): string =>
  message?.state === 'Delivered'
    ? 'the counterparty has the message and has not answered'
    : 'the vendor has to deliver the message';

function laneWords(detail: string | null): string {
  if (detail === 'Funds') return 'funds that earlier transfers of the wallet may still spend';
  if (detail === 'EarlierNonces') return 'transactions with earlier nonces';
  return 'earlier transfers of the wallet';
}

/**
 * Each sentence must be true for every transaction of the lane (the queue of one sender on one network), because the obstacle of
 * the first transaction also blocks the later transactions.
 */
const BLOCKS: Readonly<Record<LaneTroubleKind, string>> = {
  NonceMissing: 'no transaction of the wallet has the next nonce',
  NotSent: "the wallet's transaction with the next nonce is not sent yet",
  HeldElsewhere: "the wallet's next nonce belongs to a transaction that was signed for a caller who has not sent it",
  Underpriced:
    "the network asks for a higher fee than the wallet's first transaction offers; that transaction is sent again with a higher fee",
  FeesAboveCeiling:
    "the network asks for a higher fee than was approved for the wallet's first transaction, or than the wallet has",
  WouldFail: 'nodes reject it because it would fail at present; it is sent again until it is accepted or cancelled',
};
const OPEN_OPERATION =
  'the sponsor’s transaction did not execute the operation; anyone may still execute it until it is cancelled or sped up';
const blockWords = (detail: string | null): string =>
  detail === OPERATION_OPEN ? OPEN_OPERATION : BLOCKS[LANE_TROUBLES.find((kind) => kind === detail) ?? 'NotSent'];

const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
