import { CHANGE_ACTIVITY_KINDS } from '../../domain/policies';
import { newId } from '../../platform/ids';

/** Members that replace those of a sound policy, and the path that the refusal names. */
export type RefusedPolicy = readonly [title: string, set: Record<string, unknown>, path: string];

type Config = Record<string, unknown>;
const rule = (kind: string, configuration: Config) => ({ rule: { kind, configuration } });
const limit = (configuration: Config) => rule('TransactionAmountLimit', { limit: 5, currency: 'USD', ...configuration });
const amounts = (configuration: Config) =>
  rule('TransactionAmountVelocity', { limit: 5, currency: 'USD', timeframe: 60, ...configuration });
const counts = (configuration: Config) => rule('TransactionCountVelocity', { limit: 5, timeframe: 60, ...configuration });

const skips = { skipUnscreenableTransaction: true, skipUnsupportedNetwork: true, skipUnsupportedAsset: true };
const KYT_A = {
  alerts: { alertLevel: 'LOW', categoryIds: [] },
  exposures: { direct: { categoryIds: [] } },
  addresses: { categoryIds: [] },
  fallbackBehaviours: { ...skips, skipKytAFailure: false },
};
const { addresses: _outgoingOnly, ...KYT_A_INCOMING } = KYT_A;
const KYT_B = { riskScoreThreshold: 50, fallbackBehaviours: { ...skips, skipKytBFailure: false } };
const TRAVEL_RULE = { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: 60 };
const kytA = (configuration: Config) => rule('KytATransactionPrescreening', { ...KYT_A, ...configuration });
const kytB = (configuration: Config) => rule('KytBTransactionPrescreening', { ...KYT_B, ...configuration });
const travelRule = (configuration: Config) => ({
  ...rule('TravelRuleTransactionPrescreening', { ...TRAVEL_RULE, ...configuration }),
  action: BLOCK,
});

const BLOCK = { kind: 'Block' };
const NO_ACTION = { kind: 'NoAction' };
const ask = (group: Config, action: Config = {}) => ({
  action: { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {}, ...group }], ...action },
});
const incoming = (set: Config) => ({
  activityKind: 'Wallets:IncomingTransaction',
  ...rule('KytATransactionScreening', KYT_A_INCOMING),
  action: NO_ACTION,
  ...set,
});
const many = (count: number, value: (at: number) => unknown) => Array.from({ length: count }, (_, at) => value(at));

const TIMES: readonly RefusedPolicy[] = [0, 43_201, -60, 1.5, '60', null].flatMap((timeframe): RefusedPolicy[] => [
  [`an amount within ${timeframe} minutes`, amounts({ timeframe }), 'body.rule.configuration.timeframe'],
  [`a count within ${timeframe} minutes`, counts({ timeframe }), 'body.rule.configuration.timeframe'],
]);

const LIMITS: readonly RefusedPolicy[] = [0, -1, 0.5, 2 ** 53, 1e300, '5', null].flatMap((value): RefusedPolicy[] => [
  [`an amount limit of ${value}`, limit({ limit: value }), 'body.rule.configuration.limit'],
  [`an amount limit of ${value} in a window`, amounts({ limit: value }), 'body.rule.configuration.limit'],
  [`a count limit of ${value}`, counts({ limit: value }), 'body.rule.configuration.limit'],
]);

const CURRENCIES: readonly RefusedPolicy[] = ['EUR', 'usd', 'BTC', '', null].flatMap((currency): RefusedPolicy[] => [
  [`a limit in ${currency}`, limit({ currency }), 'body.rule.configuration.currency'],
  [`a limit in ${currency} in a window`, amounts({ currency }), 'body.rule.configuration.currency'],
]);

const NO_ACTIONS: readonly RefusedPolicy[] = [
  ['AlwaysTrigger', { rule: { kind: 'AlwaysTrigger' } }],
  ['an amount limit', limit({})],
  ['an amount in a window', amounts({})],
  ['a count in a window', counts({})],
  ['a whitelist', rule('TransactionRecipientWhitelist', { addresses: [] })],
  ['a travel rule', travelRule({})],
].map(([title, set]): RefusedPolicy => [`NoAction with ${title}`, { ...(set as Config), action: NO_ACTION }, 'body.action.kind']);

/** Policies that the API refuses, beyond those with a plainly wrong shape. */
export const REFUSED_POLICIES: readonly RefusedPolicy[] = [
  ...TIMES,
  ...LIMITS,
  ...CURRENCIES,
  ...NO_ACTIONS,
  ['a travel rule that asks people', { ...travelRule({}), ...ask({}) }, 'body.action.kind'],
  ['a travel rule for an unknown vendor', travelRule({ vendor: 'Somebody' }), 'body.rule.configuration.vendor'],
  [
    'a travel rule without time to answer',
    travelRule({ autoTriggerTimeoutSeconds: 0 }),
    'body.rule.configuration.autoTriggerTimeoutSeconds',
  ],
  [
    'a travel rule that clears after 0 seconds',
    travelRule({ autoClearAfterDeliveredTimeoutSeconds: 0 }),
    'body.rule.configuration.autoClearAfterDeliveredTimeoutSeconds',
  ],
  [
    'an unknown alert level',
    kytA({ alerts: { alertLevel: 'FATAL', categoryIds: [] } }),
    'body.rule.configuration.alerts.alertLevel',
  ],
  ['an invalid category', kytA({ addresses: { categoryIds: [1, 0] } }), 'body.rule.configuration.addresses.categoryIds.1'],
  ['an exposure without its kind', kytA({ exposures: {} }), 'body.rule.configuration.exposures.direct'],
  [
    'a screening that does not specify what happens when the vendor fails',
    kytA({ fallbackBehaviours: skips }),
    'body.rule.configuration.fallbackBehaviours.skipKytAFailure',
  ],
  [
    'the fall-back for a different vendor',
    kytB({ fallbackBehaviours: { ...skips, skipKytBFailure: true, skipKytAFailure: true } }),
    'body.rule.configuration.fallbackBehaviours.skipKytAFailure',
  ],
  ['a risk score of -1', kytB({ riskScoreThreshold: -1 }), 'body.rule.configuration.riskScoreThreshold'],
  ['a risk score of 101', kytB({ riskScoreThreshold: 101 }), 'body.rule.configuration.riskScoreThreshold'],
  ['a risk score of 50.5', kytB({ riskScoreThreshold: 50.5 }), 'body.rule.configuration.riskScoreThreshold'],
  [
    'the rule that screens incoming transactions, in a policy on outgoing ones',
    rule('KytATransactionScreening', KYT_A_INCOMING),
    'body.rule.kind',
  ],
  ['the rule that screens outgoing transactions, in a policy on incoming ones', incoming(kytA({})), 'body.rule.kind'],
  [
    'addresses in a screening of incoming transactions',
    incoming(rule('KytATransactionScreening', KYT_A)),
    'body.rule.configuration.addresses',
  ],
  ['a block of incoming transactions', incoming({ action: BLOCK }), 'body.action.kind'],
  ['an approval of incoming transactions', incoming(ask({})), 'body.action.kind'],
  ['a rule about money for incoming transactions', incoming(limit({})), 'body.rule.kind'],
  ...CHANGE_ACTIVITY_KINDS.flatMap((activityKind): RefusedPolicy[] => [
    [`a rule about money for ${activityKind}`, { activityKind, ...counts({}) }, 'body.rule.kind'],
    [`NoAction for ${activityKind}`, { activityKind, action: NO_ACTION }, 'body.action.kind'],
  ]),
  [
    'a wallet filter in a policy on the registry',
    { activityKind: 'Registry:Addresses:Modify', filters: { walletTags: {} } },
    'body.filters.walletTags',
  ],
  [
    'a wallet filter in a policy on key exports',
    { activityKind: 'Keys:Export', filters: { walletId: { in: ['wa-1'] } } },
    'body.filters.walletId',
  ],
  ['an unknown mode', { mode: 'Dry' }, 'body.mode'],
  ['an unknown wallet', { filters: { walletId: { in: [newId('wallet')] } } }, 'body.filters.walletId.in.0'],
  ['an invalid wallet id', { filters: { walletId: { in: ['wa-1'] } } }, 'body.filters.walletId.in.0'],
  ['no wallets', { filters: { walletId: { in: [] } } }, 'body.filters.walletId.in'],
  ['101 wallets', { filters: { walletId: { in: many(101, (at) => `wa-${at}`) } } }, 'body.filters.walletId.in'],
  ['101 tags', { filters: { walletTags: { hasAll: many(101, (at) => `tag-${at}`) } } }, 'body.filters.walletTags.hasAll'],
  ['101 key stores', { filters: { storeId: { in: many(101, (at) => `ks-${at}`) } } }, 'body.filters.storeId.in'],
  ['no key stores', { filters: { storeId: { notIn: [] } } }, 'body.filters.storeId.notIn'],
  ['an unknown key store', { filters: { storeId: { in: ['software', newId('keyStore')] } } }, 'body.filters.storeId.in.1'],
  ['an unknown key store in notIn', { filters: { storeId: { notIn: ['Software'] } } }, 'body.filters.storeId.notIn.0'],
  ['an unknown operator on key stores', { filters: { storeId: { hasAny: ['software'] } } }, 'body.filters.storeId.hasAny'],
  [
    'a key store in a policy on key exports',
    { activityKind: 'Keys:Export', filters: { storeId: { in: ['software'] } } },
    'body.filters.storeId',
  ],
  [
    '101 approvers',
    ask({ approvers: { userId: { in: many(101, (at) => `us-${at}`) } } }),
    'body.action.approvalGroups.0.approvers.userId.in',
  ],
  [
    'an unknown approver of an escalation',
    ask({ escalation: { afterMinutes: 5, approvers: { userId: { in: [newId('user')] } } } }),
    'body.action.approvalGroups.0.escalation.approvers.userId.in.0',
  ],
  [
    'an escalation at the moment of the time-out',
    ask({ escalation: { afterMinutes: 60, approvers: {} } }, { autoRejectTimeout: 60 }),
    'body.action.approvalGroups.0.escalation.afterMinutes',
  ],
  [
    'an escalation after 0 minutes',
    ask({ escalation: { afterMinutes: 0, approvers: {} } }),
    'body.action.approvalGroups.0.escalation.afterMinutes',
  ],
  [
    'a reminder at the moment of the time-out',
    ask({}, { reminderAfterMinutes: 60, autoRejectTimeout: 60 }),
    'body.action.reminderAfterMinutes',
  ],
  ['a reminder after 0 minutes', ask({}, { reminderAfterMinutes: 0 }), 'body.action.reminderAfterMinutes'],
  [
    '10,001 addresses',
    rule('TransactionRecipientWhitelist', { addresses: many(10_001, String) }),
    'body.rule.configuration.addresses',
  ],
];

/** Policies that the API accepts, with allowed values of the same members. */
export const SOUND_POLICIES: readonly (readonly [title: string, set: Record<string, unknown>])[] = [
  ['the shortest window', amounts({ timeframe: 1 })],
  ['the longest window', counts({ timeframe: 43_200 })],
  ['the greatest limit', limit({ limit: Number.MAX_SAFE_INTEGER })],
  ['a screening that only reports', { ...kytA({ userIdTemplate: 'of-{{walletId}}' }), action: NO_ACTION }],
  ['a score that only reports', { ...kytB({}), action: NO_ACTION }],
  ['a screening that asks people', { ...kytA({}), ...ask({}) }],
  ['a score threshold of 0 that blocks', { ...kytB({ riskScoreThreshold: 0 }), action: BLOCK }],
  ['a score threshold of 100', kytB({ riskScoreThreshold: 100 })],
  ['a travel rule', travelRule({ autoClearAfterDeliveredTimeoutSeconds: 30 })],
  ['a policy on the registry', { activityKind: 'Registry:Addresses:Modify', filters: {} }],
  ['a policy on contract schemas', { activityKind: 'Registry:ContractSchemas:Modify', action: BLOCK }],
  ['a policy on export', { activityKind: 'Keys:Export', action: BLOCK }],
  ['a policy on import', { activityKind: 'Keys:Import', filters: {} }],
  ...CHANGE_ACTIVITY_KINDS.map((activityKind) => [`a policy on ${activityKind}`, { activityKind }] as const),
  ['a travel rule in shadow', { ...travelRule({}), mode: 'Shadow' }],
  ['a policy in shadow', { ...counts({}), mode: 'Shadow' }],
  [
    'a reminder and an escalation just before the time-out',
    ask({ escalation: { afterMinutes: 59, approvers: {} } }, { reminderAfterMinutes: 59, autoRejectTimeout: 60 }),
  ],
  ['a reminder without a time-out', ask({}, { reminderAfterMinutes: 5_000_000 })],
  ['a key store', { filters: { storeId: { in: ['software'] } } }],
  ['every other key store', { filters: { storeId: { notIn: ['software'] }, walletTags: { hasAny: ['cold'] } } }],
  ['a hundred tags', { filters: { walletTags: { hasAny: many(100, (at) => `tag-${at}`) } } }],
];
