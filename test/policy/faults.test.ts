import type { Action, Rule } from '../../domain/policies';
import { faultsOf } from '../../policy/faults';
import { askFor } from '../support/policies';

const skips = { skipUnscreenableTransaction: true, skipUnsupportedNetwork: true, skipUnsupportedAsset: true };
const kytA = {
  alerts: { alertLevel: 'LOW', categoryIds: [] },
  exposures: { direct: { categoryIds: [] } },
  fallbackBehaviours: { ...skips, skipKytAFailure: false },
} as const;

const RULES: Readonly<Record<Rule['kind'], Rule>> = {
  AlwaysTrigger: { kind: 'AlwaysTrigger' },
  TransactionAmountLimit: { kind: 'TransactionAmountLimit', configuration: { limit: 1, currency: 'USD' } },
  TransactionAmountVelocity: { kind: 'TransactionAmountVelocity', configuration: { limit: 1, currency: 'USD', timeframe: 1 } },
  TransactionCountVelocity: { kind: 'TransactionCountVelocity', configuration: { limit: 1, timeframe: 1 } },
  TransactionRecipientWhitelist: { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [] } },
  KytATransactionPrescreening: {
    kind: 'KytATransactionPrescreening',
    configuration: { ...kytA, addresses: { categoryIds: [] } },
  },
  KytATransactionScreening: { kind: 'KytATransactionScreening', configuration: kytA },
  KytBTransactionPrescreening: {
    kind: 'KytBTransactionPrescreening',
    configuration: { riskScoreThreshold: 0, fallbackBehaviours: { ...skips, skipKytBFailure: false } },
  },
  TravelRuleTransactionPrescreening: {
    kind: 'TravelRuleTransactionPrescreening',
    configuration: { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: 1 },
  },
};
const ANYONE = { quorum: 1, approvers: {} };
const ACTIONS: Readonly<Record<Action['kind'], Action>> = {
  Block: { kind: 'Block' },
  NoAction: { kind: 'NoAction' },
  RequestApproval: askFor([ANYONE]),
};

const all: readonly Action['kind'][] = ['Block', 'RequestApproval', 'NoAction'];
const stopping: readonly Action['kind'][] = ['Block', 'RequestApproval'];
test.each<[Rule['kind'], readonly Action['kind'][]]>([
  ['AlwaysTrigger', stopping],
  ['TransactionAmountLimit', stopping],
  ['TransactionAmountVelocity', stopping],
  ['TransactionCountVelocity', stopping],
  ['TransactionRecipientWhitelist', stopping],
  ['KytATransactionPrescreening', all],
  ['KytATransactionScreening', ['NoAction']],
  ['KytBTransactionPrescreening', all],
  ['TravelRuleTransactionPrescreening', ['Block']],
])('%s goes with %s and with nothing else', (rule, allowed) => {
  for (const action of all) {
    const faults = faultsOf({ activityKind: 'Wallets:Sign', rule: RULES[rule], action: ACTIONS[action] });
    expect(faults.map(({ path }) => path)).toEqual(allowed.includes(action) ? [] : ['action.kind']);
  }
});

test.each<[string, number | null | undefined, number, boolean]>([
  ['just before the end', 60, 59, true],
  ['at the end', 60, 60, false],
  ['after the end', 60, 61, false],
  ['where there is no end', undefined, 5_000_000, true],
  ['where the end is null', null, 5_000_000, true],
])('a reminder and an escalation %s', (_title, autoRejectTimeout, minutes, isSound) => {
  const end = autoRejectTimeout === undefined ? {} : { autoRejectTimeout };
  const action: Action = {
    kind: 'RequestApproval',
    approvalGroups: [ANYONE, { ...ANYONE, escalation: { afterMinutes: minutes, approvers: {} } }],
    reminderAfterMinutes: minutes,
    ...end,
  };
  const paths = ['action.reminderAfterMinutes', 'action.approvalGroups.1.escalation.afterMinutes'];
  expect(faultsOf({ activityKind: 'Wallets:Sign', rule: RULES.AlwaysTrigger, action }).map(({ path }) => path)).toEqual(
    isSound ? [] : paths,
  );
});

test('what arrives is reported by nothing yet, so a policy on it is refused with that reason', () => {
  const [fault] = faultsOf({
    activityKind: 'Wallets:IncomingTransaction',
    rule: RULES.KytATransactionScreening,
    action: ACTIONS.NoAction,
  });
  expect(fault).toMatchObject({ path: 'activityKind', message: expect.stringContaining('no indexer') });
});
