import { ACTIVITIES, ACTIVITY_KINDS, type ActivityKind } from '../../domain/policies';

/** Kinds of activity that the published client does not have. */
const OWN_KINDS = ACTIVITY_KINDS.filter((kind) => !ACTIVITIES[kind].isPublished);
const PUBLISHED_KINDS = ACTIVITY_KINDS.filter((kind) => ACTIVITIES[kind].isPublished);
const OWN_BODY = ['action', 'activityKind', 'filters', 'mode', 'name', 'rule'];
const OWN_ANSWER = [...OWN_BODY, 'dateCreated', 'dateUpdated', 'id', 'status'];

/** A policy on one of these kinds can have several kinds of action. A policy on any other kind can have only one. */
const withActions = PUBLISHED_KINDS.filter((kind) => ['All', 'Stopping'].includes(ACTIVITIES[kind].actions));

/** The paths of our own members in a policy on this kind of activity. */
function ownMembers(kind: ActivityKind): string[] {
  const action = ACTIVITIES[kind].actions === 'Asking' ? 'action' : 'action<RequestApproval>';
  const asking = ACTIVITIES[kind].actions === 'Reporting' ? [] : ['approvalGroups[].escalation', 'reminderAfterMinutes'];
  return [
    'mode',
    ...asking.map((member) => `${action}.${member}`),
    ...(ACTIVITIES[kind].filters === 'Wallets' ? ['filters.storeId'] : []),
    ...(ACTIVITIES[kind].rules === 'Signing' ? ['rule<TransactionRecipientWhitelist>.configuration.registryAddressIds'] : []),
  ];
}
const ownUnder = (place: (kind: ActivityKind) => string): string[] =>
  PUBLISHED_KINDS.flatMap((kind) => ownMembers(kind).map((member) => `${place(kind)}.${member} is ours`));
const wholly = (members: readonly string[], place: (kind: ActivityKind) => string): string[] =>
  OWN_KINDS.flatMap((kind) => members.map((member) => `${place(kind)}.${member} is ours`));

const WHOLE = ['TransactionAmountLimit', 'TransactionAmountVelocity', 'TransactionCountVelocity'];

/** The intended differences between our policies and the published client's. */
export const POLICY_DIFFERENCES = [
  {
    operations: 'createPolicy updatePolicy',
    lines: wholly(OWN_BODY, (kind) => `body<${kind}>`),
    reason: "Policies also cover export, import and delegation of keys, and changes of the organisation's settings",
  },
  {
    operations: 'archivePolicy createPolicy getPolicy listPolicies updatePolicy',
    lines: wholly(OWN_ANSWER, (kind) => `answer<${kind}>`),
    reason: 'Policies on our own kinds of activity are returned like other policies',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: [
      ...wholly(['pendingChangeRequest'], (kind) => `answer<${kind}>`),
      ...PUBLISHED_KINDS.flatMap((of) => wholly(OWN_ANSWER, (kind) => `answer<${of}>.pendingChangeRequest.body<${kind}>`)),
    ],
    reason: 'Waiting changes of policies on our own kinds of activity are returned too',
  },
  {
    operations: 'createApprovalDecision getApproval listApprovals',
    lines: wholly(['changeRequest', 'kind'], (kind) => `answer.activity<${kind}>`),
    reason: 'An approval also shows a waiting change whose activity kind is one of ours',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: ownUnder((kind) => `body<${kind}>`),
    reason: 'Shadow mode, reminders, escalations, entries of the registry and filters by key store are optional in a policy',
  },
  {
    operations: 'archivePolicy createPolicy getPolicy listPolicies updatePolicy',
    lines: ownUnder((kind) => `answer<${kind}>`),
    reason: 'The answer contains every member of the request',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: PUBLISHED_KINDS.flatMap((of) => ownUnder((kind) => `answer<${of}>.pendingChangeRequest.body<${kind}>`)),
    reason: 'A waiting change contains every member of the request',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: PUBLISHED_KINDS.map((kind) => `answer<${kind}>.pendingChangeRequest.requester.appId is missing`),
    reason: 'There are no applications: the requester is a token',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: [...withActions.map((kind) => `body<${kind}>.action<RequestApproval>`), 'body<Policies:Modify>.action'].map(
      (action) => `${action}.autoRejectTimeout is integer|null, not null|number`,
    ),
    reason: 'The time-out is a whole number of minutes',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: WHOLE.map((rule) => `body<Wallets:Sign>.rule<${rule}>.configuration.limit is integer, not number`),
    reason: 'A limit is a whole number of dollars or of activities',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: ['body<Wallets:Sign>.rule<KytBTransactionPrescreening>.configuration.riskScoreThreshold is integer, not number'],
    reason: 'The specification demands a whole number',
  },
];
