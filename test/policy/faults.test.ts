import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Action, RuleKind } from '../../domain/policies';
import { faultsOf } from '../../policy/faults';
import { RULE_KINDS, RULES } from '../../policy/rules';
import type { RuleOf } from '../../policy/rules/rule';
import { askFor } from '../support/policies';
import { SOME_RULES } from './arbitrary';

const some = <K extends RuleKind>(kind: K): RuleOf<K> => fc.sample(SOME_RULES[kind], { numRuns: 1, seed: 1 })[0] as RuleOf<K>;

const ANYONE = { quorum: 1, approvers: {} };
const ACTIONS: Readonly<Record<Action['kind'], Action>> = {
  Block: { kind: 'Block' },
  RequestApproval: askFor([ANYONE]),
  NoAction: { kind: 'NoAction' },
};

/** The cells of the first table in docs/policy-rules.md: rule, link to its section, activities, actions. */
const DOCUMENTED = readFileSync('docs/policy-rules.md', 'utf8')
  .split('\n')
  .flatMap((line) => /^\| \[`(\w+)`\]\((#[\w-]+)\) \| (.+) \| (.+) \|$/.exec(line)?.slice(1) ?? []);
const rowOf = (kind: RuleKind) => DOCUMENTED.slice(DOCUMENTED.indexOf(kind));

test.each(RULE_KINDS)('%s allows only the activities and actions that the documentation lists for it', (kind) => {
  const [, , activities, actions = ''] = rowOf(kind);
  const allowed = (actions.split(';')[0] ?? '').match(/\w+/g);
  const sound = Object.values(ACTIONS).filter((action) => {
    const faults = faultsOf({ rule: some(kind), action });
    expect(faults.every(({ path }) => path === 'action.kind')).toBe(true);
    return faults.length === 0;
  });
  expect(sound.map((action) => action.kind)).toEqual(allowed);
  const { activity, judgeChange } = RULES[kind];
  expect(activities).toBe(judgeChange === null ? `\`${activity}\`` : 'all but `Wallets:IncomingTransaction`');
});

test('docs/policy-rules.md lists the rules in the order of the interface, and each rule has a section', () => {
  expect(DOCUMENTED.filter((_cell, at) => at % 4 === 0)).toEqual(RULE_KINDS);
  const sections = readFileSync('docs/policy-rules.md', 'utf8').match(/^## .+$/gm) ?? [];
  for (const kind of RULE_KINDS) expect(sections.filter((title) => title.split(' ').includes(kind))).toHaveLength(1);
});

test.each<[string, number | null | undefined, number, boolean]>([
  ['just before the end', 60, 59, true],
  ['at the end', 60, 60, false],
  ['after the end', 60, 61, false],
  ['without an end', undefined, 5_000_000, true],
  ['with null as the end', null, 5_000_000, true],
])('a reminder and an escalation %s of the approval', (_title, autoRejectTimeout, minutes, isSound) => {
  const end = autoRejectTimeout === undefined ? {} : { autoRejectTimeout };
  const action: Action = {
    kind: 'RequestApproval',
    approvalGroups: [ANYONE, { ...ANYONE, escalation: { afterMinutes: minutes, approvers: {} } }],
    reminderAfterMinutes: minutes,
    ...end,
  };
  const paths = ['action.reminderAfterMinutes', 'action.approvalGroups.1.escalation.afterMinutes'];
  expect(faultsOf({ rule: some('AlwaysTrigger'), action }).map(({ path }) => path)).toEqual(isSound ? [] : paths);
});
