import type { Action, PolicyMode } from '../../domain/policies';
import { evaluate } from '../../policy/evaluate';
import { faultsOf } from '../../policy/faults';
import { RULE_KINDS } from '../../policy/rules';
import type { Outcome } from '../../policy/types';
import { askFor, someFacts, somePolicy } from '../support/policies';
import type { RuleCase } from './cases/case';
import { FILTER_CASES } from './cases/filters';
import { MONEY_CASES } from './cases/money';
import { RECIPIENT_CASES } from './cases/recipients';
import { SCREENING_CASES } from './cases/screenings';
import { TRAVEL_RULE_CASES } from './cases/travel-rules';

const CASES_MIN = 400;
const ID = 'plc-1';
const GROUP = { name: 'Finance', quorum: 2, approvers: {} };

type Disposition = { readonly action: Action; readonly mode: PolicyMode; readonly outcome: Outcome };

/** The outcome for an activity on which the rule triggers. An activity on which the rule does not trigger is cleared. */
const DISPOSITIONS: readonly Disposition[] = [
  { action: { kind: 'Block' }, mode: 'Enforce', outcome: 'Blocked' },
  { action: askFor([GROUP], 30), mode: 'Enforce', outcome: 'Held' },
  { action: { kind: 'NoAction' }, mode: 'Enforce', outcome: 'Cleared' },
  { action: { kind: 'Block' }, mode: 'Shadow', outcome: 'Cleared' },
  { action: askFor([GROUP], 30), mode: 'Shadow', outcome: 'Cleared' },
  { action: { kind: 'NoAction' }, mode: 'Shadow', outcome: 'Cleared' },
];

const ALWAYS_CASES: readonly RuleCase[] = [
  { title: 'always', rule: { kind: 'AlwaysTrigger' }, facts: {}, triggers: true },
  {
    title: 'always, with its empty configuration',
    rule: { kind: 'AlwaysTrigger', configuration: {} },
    facts: {},
    triggers: true,
  },
  {
    title: 'always, for an activity without value',
    rule: { kind: 'AlwaysTrigger' },
    facts: { amountUsdMicro: '0' },
    triggers: true,
  },
  { title: 'always, for a key without wallets', rule: { kind: 'AlwaysTrigger' }, facts: { walletId: null }, triggers: true },
];

const RULE_CASES = [...ALWAYS_CASES, ...MONEY_CASES, ...RECIPIENT_CASES, ...SCREENING_CASES, ...TRAVEL_RULE_CASES];

const rows = RULE_CASES.flatMap(({ title, rule, facts, triggers }) =>
  DISPOSITIONS.filter(({ action }) => faultsOf({ rule, action }).length === 0).map((disposition) => ({
    ...disposition,
    title: `${title}: ${disposition.action.kind} in ${disposition.mode} ${triggers ? 'triggers' : 'does not trigger'}`,
    rule,
    facts,
    triggers,
  })),
);

test('the tables contain every rule, at least the required number of cases, and unique titles', () => {
  expect(new Set(RULE_CASES.map(({ rule }) => rule.kind))).toEqual(new Set(RULE_KINDS));
  expect(RULE_CASES.length + FILTER_CASES.length).toBeGreaterThanOrEqual(CASES_MIN);
  const keys = rows.map((row) => JSON.stringify([row.title, row.rule]));
  expect(new Set(keys).size).toBe(keys.length);
});

test.each(rows)('$title', ({ rule, facts, action, mode, triggers, outcome }) => {
  const verdict = evaluate([somePolicy(ID, { rule, action, mode, version: 3 })], someFacts(facts));
  const found = { policyId: ID, policyVersion: 3, triggered: triggers, reason: expect.stringMatching(/^[A-Z0-9].*[^.]$/) };
  const counts = triggers ? outcome : 'Cleared';
  expect(verdict).toEqual({
    outcome: counts,
    evaluations: mode === 'Enforce' ? [found] : [],
    shadows: mode === 'Shadow' ? [found] : [],
    blockedBy: counts === 'Blocked' ? [ID] : [],
    groups: counts === 'Held' ? [{ policyId: ID, definition: { ...GROUP, id: '#0' } }] : [],
    autoRejectTimeoutMinutes: counts === 'Held' ? 30 : null,
  });
});

test.each(FILTER_CASES)('filters for %s', (_title, filters, subject, applies) => {
  const facts = 'walletTags' in subject ? someFacts(subject) : { initiatorId: 'us-1', ...subject };
  for (const mode of ['Enforce', 'Shadow'] as const) {
    const { outcome, evaluations, shadows } = evaluate([somePolicy(ID, { filters, mode })], facts);
    expect([...evaluations, ...shadows]).toHaveLength(applies ? 1 : 0);
    expect(outcome).toBe(applies && mode === 'Enforce' ? 'Blocked' : 'Cleared');
  }
});
