import { ACTIVITY_KINDS, type ActivityKind } from '../../domain/policies';

/** A policy of these may only block or ask, so its schema knows the kind of action; the other two have one action alone. */
const withActions = ACTIVITY_KINDS.filter((kind) => kind !== 'Policies:Modify' && kind !== 'Wallets:IncomingTransaction');

/** Members of ours in a policy of this kind, by their path. */
function ownMembers(kind: ActivityKind): string[] {
  const action = kind === 'Policies:Modify' ? 'action' : 'action<RequestApproval>';
  const asking = kind === 'Wallets:IncomingTransaction' ? [] : ['approvalGroups[].escalation', 'reminderAfterMinutes'];
  return [
    'mode',
    ...asking.map((member) => `${action}.${member}`),
    ...(kind === 'Wallets:Sign' ? ['rule<TransactionRecipientWhitelist>.configuration.registryAddressIds'] : []),
  ];
}
const ownUnder = (place: (kind: ActivityKind) => string): string[] =>
  ACTIVITY_KINDS.flatMap((kind) => ownMembers(kind).map((member) => `${place(kind)}.${member} is ours`));

const WHOLE = ['TransactionAmountLimit', 'TransactionAmountVelocity', 'TransactionCountVelocity'];

/** Where policies differ on purpose from the published client's. */
export const POLICY_DIFFERENCES = [
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
    lines: ACTIVITY_KINDS.flatMap((of) => ownUnder((kind) => `answer<${of}>.pendingChangeRequest.body<${kind}>`)),
    reason: 'And shown while it waits',
  },
  {
    operations: 'getPolicy listPolicies',
    lines: ACTIVITY_KINDS.map((kind) => `answer<${kind}>.pendingChangeRequest.requester.appId is missing`),
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
