import type { PolicyInForce, Rule } from '../../../domain/policies';
import { policyLines } from '../../../operator/charters/policy-words';
import { RULE_KINDS } from '../../../policy/rules';
import { askFor, somePolicy } from '../../support/policies';

const fallbackBehaviours = { skipUnscreenableTransaction: true, skipUnsupportedNetwork: false, skipUnsupportedAsset: false };
const kytA = {
  alerts: { alertLevel: 'HIGH' as const, categoryIds: [7] },
  exposures: { direct: { categoryIds: [8] } },
  fallbackBehaviours: { ...fallbackBehaviours, skipKytAFailure: false },
};

const RULES: readonly (readonly [Rule, readonly string[]])[] = [
  [{ kind: 'AlwaysTrigger' }, ['triggers on every request']],
  [
    { kind: 'TransactionAmountLimit', configuration: { limit: 5, currency: 'USD' } },
    ['triggers on a request of more than 5 USD'],
  ],
  [
    { kind: 'TransactionAmountVelocity', configuration: { limit: 5, currency: 'USD', timeframe: 60 } },
    ['triggers on more than 5 USD within 60 minutes'],
  ],
  [
    { kind: 'TransactionCountVelocity', configuration: { limit: 3, timeframe: 10 } },
    ['triggers on more than 3 requests within 10 minutes'],
  ],
  [
    { kind: 'TransactionRecipientWhitelist', configuration: { addresses: ['0xa\n0xb'], registryAddressIds: ['ra-1'] } },
    ['triggers on a recipient that is not listed', '  listed 0xa\\u{a}0xb', '  listed ra-1'],
  ],
  [
    { kind: 'KytATransactionPrescreening', configuration: { ...kytA, addresses: { categoryIds: [9] } } },
    [expect.stringMatching(/^triggers on KytATransactionPrescreening with .*"alertLevel":"HIGH".*\[9\]/)],
  ],
  [{ kind: 'KytATransactionScreening', configuration: kytA }, [expect.stringContaining('KytATransactionScreening with {')]],
  [
    {
      kind: 'KytBTransactionPrescreening',
      configuration: { riskScoreThreshold: 40, fallbackBehaviours: { ...fallbackBehaviours, skipKytBFailure: false } },
    },
    [expect.stringContaining('"riskScoreThreshold":40')],
  ],
  [
    {
      kind: 'TravelRuleTransactionPrescreening',
      configuration: { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: 99 },
    },
    [expect.stringContaining('"autoTriggerTimeoutSeconds":99')],
  ],
];
const linesOf = (set: Partial<PolicyInForce>) => policyLines(somePolicy('po-1', set), (id) => `<${id}>`);

test('every kind of rule has a text with every value of the rule', () => {
  expect(RULES.map(([{ kind }]) => kind).sort()).toEqual([...RULE_KINDS].sort());
  for (const [rule, lines] of RULES) expect(linesOf({ rule }).slice(2, 2 + lines.length)).toEqual(lines);
});

test('the text of a policy contains its filters, mode, groups and times', () => {
  const groups = [
    {
      ...{ id: 'g-1', name: 'Finance', quorum: 2, approvers: { userId: { in: ['us-1', 'us-2'] } } },
      ...{ initiatorCanApprove: true, serviceAccountsCanApprove: true },
      escalation: { afterMinutes: 30, approvers: { userId: { in: ['us-3'] } } },
    },
    { quorum: 1, approvers: {} },
  ];
  const action = { ...askFor(groups, 60), reminderAfterMinutes: 15 } as PolicyInForce['action'];
  const filters = { walletId: { in: ['wa-1'] }, walletTags: { hasAny: ['hot'], hasAll: ['eu', 'a\u202eb'] } };
  expect(linesOf({ action, filters, mode: 'Shadow' })).toEqual([
    'version 1, SHADOW: holds and blocks nothing',
    'for the wallets <wa-1>, and wallets with any of the tags "hot", and wallets with all of the tags "eu", "a\\u{202e}b"',
    'triggers on every request',
    'then asks for approval',
    '  2 of <us-1>, <us-2>; after 30 minutes also <us-3>; the requester may approve; service accounts may approve; group Finance (g-1)',
    '  1 of all employees; group  (without id)',
    '  rejects after 60 minutes',
    '  reminds after 15 minutes',
  ]);
  expect(linesOf({ filters: { storeId: { in: ['ks-1', 'a\u202eb'], notIn: ['software'] } } })[1]).toBe(
    'for keys in the key stores ks-1, a\\u{202e}b, and keys outside the key stores software',
  );
  expect(linesOf({}).slice(-1)).toEqual(['then blocks']);
  expect(linesOf({ action: { kind: 'NoAction' } }).slice(-1)).toEqual(['then does nothing']);
});

test('the text of a policy on changes names the guarded policies', () => {
  const scopeOf = (filters: PolicyInForce['filters']) => linesOf({ activityKind: 'Policies:Modify', filters })[1];
  expect(scopeOf(null)).toBe('for CHANGES of all policies');
  expect(scopeOf({ policyId: { in: ['po-1', 'po-2'] } })).toBe('for CHANGES of the policies <po-1>, <po-2>');
});
