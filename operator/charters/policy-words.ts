import type { Action, Approvers, Filters, GroupDefinition, PolicyInForce, Rule, RuleKind } from '../../domain/policies';
import { plain, quoted } from './plain';

type RuleOf<K extends RuleKind> = Extract<Rule, { readonly kind: K }>;
/** The name of a user or a wallet, with its id. */
export type Naming = (id: string) => string;

const asWritten = ({ kind, configuration }: Rule) => [`${kind} with ${plain(JSON.stringify(configuration ?? {}))}`];

/** Describes when the policy triggers. */
const RULES: { readonly [K in RuleKind]: (rule: RuleOf<K>) => readonly string[] } = {
  AlwaysTrigger: () => ['every request'],
  TransactionAmountLimit: ({ configuration: { limit, currency } }) => [`a request of more than ${limit} ${currency}`],
  TransactionAmountVelocity: ({ configuration: { limit, currency, timeframe } }) => [
    `more than ${limit} ${currency} within ${timeframe} minutes`,
  ],
  TransactionCountVelocity: ({ configuration: { limit, timeframe } }) => [
    `more than ${limit} requests within ${timeframe} minutes`,
  ],
  TransactionRecipientWhitelist: ({ configuration: { addresses, registryAddressIds = [] } }) => [
    'a recipient that is not listed',
    ...[...addresses, ...registryAddressIds].map((listed) => `  listed ${plain(listed)}`),
  ],
  KytATransactionPrescreening: asWritten,
  KytATransactionScreening: asWritten,
  KytBTransactionPrescreening: asWritten,
  TravelRuleTransactionPrescreening: asWritten,
};

const inWords = <K extends RuleKind>(rule: RuleOf<K>): readonly string[] => RULES[rule.kind as K](rule);

const SHADOW = 'SHADOW: holds and blocks nothing';

/** Describes the policy, without its name, in several lines. */
export const policyLines = (policy: PolicyInForce, nameOf: Naming): readonly string[] => [
  `version ${policy.version}${policy.mode === 'Enforce' ? '' : `, ${SHADOW}`}`,
  ...judgementLines(policy, nameOf),
];

/** A policy that has no version yet. */
export const newPolicyLines = (policy: Judgement, nameOf: Naming): readonly string[] => [
  ...(policy.mode === 'Enforce' ? [] : [SHADOW]),
  ...judgementLines(policy, nameOf),
];

type Judgement = Omit<PolicyInForce, 'id' | 'name' | 'version'>;

function judgementLines({ activityKind, rule, action, filters }: Judgement, nameOf: Naming): readonly string[] {
  const [trigger = '', ...more] = inWords(rule);
  const scope = activityKind === 'Policies:Modify' ? changeWords(filters, nameOf) : filterWords(filters, nameOf);
  return [`for ${scope}`, `triggers on ${trigger}`, ...more, ...actionLines(action, nameOf)];
}

const changeWords = (filters: Filters | null, nameOf: Naming): string =>
  filters?.policyId === undefined
    ? 'CHANGES of all policies'
    : `CHANGES of the policies ${filters.policyId.in.map(nameOf).join(', ')}`;

function filterWords(filters: Filters | null, nameOf: Naming): string {
  const { walletId, walletTags, storeId } = filters ?? {};
  const words = [
    ...(walletId === undefined ? [] : [`the wallets ${walletId.in.map(nameOf).join(', ')}`]),
    ...(walletTags?.hasAny === undefined ? [] : [`wallets with any of the tags ${walletTags.hasAny.map(quoted).join(', ')}`]),
    ...(walletTags?.hasAll === undefined ? [] : [`wallets with all of the tags ${walletTags.hasAll.map(quoted).join(', ')}`]),
    ...(storeId?.in === undefined ? [] : [`keys in the key stores ${storeId.in.map(plain).join(', ')}`]),
    ...(storeId?.notIn === undefined ? [] : [`keys outside the key stores ${storeId.notIn.map(plain).join(', ')}`]),
  ];
  return words.length === 0 ? 'all wallets' : words.join(', and ');
}

function actionLines(action: Action, nameOf: Naming): readonly string[] {
  if (action.kind === 'Block') return ['then blocks'];
  if (action.kind === 'NoAction') return ['then does nothing'];
  const { approvalGroups, autoRejectTimeout, reminderAfterMinutes } = action;
  return [
    'then asks for approval',
    ...approvalGroups.map((group) => `  ${groupWords(group, nameOf)}`),
    ...(autoRejectTimeout == null ? [] : [`  rejects after ${autoRejectTimeout} minutes`]),
    ...(reminderAfterMinutes === undefined ? [] : [`  reminds after ${reminderAfterMinutes} minutes`]),
  ];
}

function groupWords(group: GroupDefinition, nameOf: Naming): string {
  const { id, name, quorum, approvers, initiatorCanApprove, serviceAccountsCanApprove, escalation } = group;
  return [
    `${quorum} of ${approverWords(approvers, nameOf)}`,
    ...(escalation === undefined
      ? []
      : [`after ${escalation.afterMinutes} minutes also ${approverWords(escalation.approvers, nameOf)}`]),
    ...(initiatorCanApprove === true ? ['the requester may approve'] : []),
    ...(serviceAccountsCanApprove === true ? ['service accounts may approve'] : []),
    `group ${plain(name ?? '')} (${id ?? 'without id'})`,
  ].join('; ');
}

const approverWords = ({ userId }: Approvers, nameOf: Naming): string =>
  userId === undefined ? 'all employees' : userId.in.map(nameOf).join(', ');
