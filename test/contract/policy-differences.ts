import { ACTIVITIES, ACTIVITY_KINDS, type ActivityKind } from '../../domain/policies';

/** Kinds of activity that the published client does not know. */
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
    reason: 'Policies also hold what lets a key leave, come in or change its owner, and what guards that',
  },
  {
    operations: 'archivePolicy createPolicy getPolicy listPolicies updatePolicy',
    lines: wholly(OWN_ANSWER, (kind) => `answer<${kind}>`),
    reason: 'Policies on activities of ours are answered like the others',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: [
      ...wholly(['pendingChangeRequest'], (kind) => `answer<${kind}>`),
      ...PUBLISHED_KINDS.flatMap((of) => wholly(OWN_ANSWER, (kind) => `answer<${of}>.pendingChangeRequest.body<${kind}>`)),
    ],
    reason: 'And so are the changes of them that wait',
  },
  {
    operations: 'createApprovalDecision getApproval listApprovals',
    lines: wholly(['changeRequest', 'kind'], (kind) => `answer.activity<${kind}>`),
    reason: 'What people approve of them',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: ownUnder((kind) => `body<${kind}>`),
    reason: 'A policy may be tried out, remind, escalate, and name entries of the registry; who leaves these out has what he had',
  },
  {
    operations: 'archivePolicy createPolicy getPolicy listPolicies updatePolicy',
    lines: ownUnder((kind) => `answer<${kind}>`),
    reason: 'What was asked for is answered',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: PUBLISHED_KINDS.flatMap((of) => ownUnder((kind) => `answer<${of}>.pendingChangeRequest.body<${kind}>`)),
    reason: 'And shown while it waits',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: PUBLISHED_KINDS.map((kind) => `answer<${kind}>.pendingChangeRequest.requester.appId is missing`),
    reason: 'No applications: a token asks',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: [...withActions.map((kind) => `body<${kind}>.action<RequestApproval>`), 'body<Policies:Modify>.action'].map(
      (action) => `${action}.autoRejectTimeout is integer|null, not null|number`,
    ),
    reason: 'Minutes are whole',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: WHOLE.map((rule) => `body<Wallets:Sign>.rule<${rule}>.configuration.limit is integer, not number`),
    reason: 'A limit is whole dollars, or whole activities',
  },
  {
    operations: 'createPolicy updatePolicy',
    lines: ['body<Wallets:Sign>.rule<KytBTransactionPrescreening>.configuration.riskScoreThreshold is integer, not number'],
    reason: 'The specification says so',
  },
];
