import fc from 'fast-check';
import type { Action, GroupDefinition } from '../../domain/policies';
import { asksOf, groupsOf, shownAction, withGroupIds } from '../../policy/groups';
import { askFor, BLOCK } from '../support/policies';

const group = (name: string | undefined, quorum = 1, more: Partial<GroupDefinition> = {}): GroupDefinition => ({
  ...(name === undefined ? {} : { name }),
  quorum,
  approvers: {},
  ...more,
});
let made = 0;
const newId = () => `new-${++made}`;
const idsOf = (action: Action) => groupsOf(action).map(({ id }) => id);
const stored = (...names: readonly (string | undefined)[]) =>
  askFor(names.map((name, at) => group(name, at + 1, { id: `g${at + 1}` })));
const after = (before: Action, ...groups: readonly GroupDefinition[]) => idsOf(withGroupIds(askFor(groups), before, newId));
const fresh = expect.stringMatching(/^new-/);

test.each<[string, Action, readonly GroupDefinition[], readonly unknown[]]>([
  ['without a change', stored('A', 'B'), [group('A', 1), group('B', 2)], ['g1', 'g2']],
  ['in a different order', stored('A', 'B'), [group('B', 2), group('A', 1)], ['g2', 'g1']],
  ['renamed', stored('A', 'B'), [group('C', 1), group('B', 2)], ['g1', 'g2']],
  ['with their names exchanged', stored('A', 'B'), [group('B', 1), group('A', 2)], ['g2', 'g1']],
  ['named for the first time', stored(undefined), [group('A', 1)], ['g1']],
  ['with a changed quorum', stored('A', undefined), [group('A', 9), group(undefined, 8)], ['g1', 'g2']],
  ['with a changed name and a changed quorum', stored('A', 'B'), [group('C', 9), group('B', 2)], [fresh, 'g2']],
  ['with one more group', stored('A'), [group('New', 7), group('A', 1)], [fresh, 'g1']],
  ['stored without ids', askFor([group('A', 1), group('B', 2)]), [group('C', 2), group('A', 1)], ['#1', '#0']],
  ['of a policy that blocked until now', BLOCK, [group('A')], [fresh]],
])('the ids of groups %s', (_what, before, groups, ids) => {
  expect(after(before, ...groups)).toEqual(ids);
});

test('a group keeps its id if the fields of its JSON have a different order or omit default values', () => {
  const before = askFor([
    { id: 'g1', quorum: 1, name: 'A', initiatorCanApprove: false, approvers: { userId: { in: ['us-1'] } } },
  ]);
  expect(after(before, { approvers: { userId: { in: ['us-1'] } }, name: 'B', quorum: 1 })).toEqual(['g1']);
});

test('no two groups share an id, at most one group keeps a former id, and nothing else changes', () => {
  const groups = fc.array(
    fc.record({ name: fc.constantFrom('A', 'B', 'C'), quorum: fc.integer({ min: 1, max: 3 }), approvers: fc.constant({}) }),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(groups, groups, (first, second) => {
      const before = withGroupIds(askFor(first), undefined, newId);
      const now = withGroupIds(askFor(second), before, newId);
      expect(new Set(idsOf(now)).size).toBe(second.length);
      expect(shownAction(now)).toEqual(askFor(second));
      expect(idsOf(withGroupIds(askFor(second), now, newId))).toEqual(idsOf(now));
      // A single group that was only renamed keeps its id.
      const [renamed] = first;
      if (first.length === 1 && renamed) expect(after(before, { ...renamed, name: 'Z' })).toEqual(idsOf(before));
    }),
  );
});

test('the demands of an action do not depend on the names and ids of its groups', () => {
  expect(asksOf(stored('A'))).toEqual(asksOf(askFor([group('B', 1)])));
  expect(asksOf(stored('A'))).not.toEqual(asksOf(askFor([group('A', 2)])));
  expect([asksOf(BLOCK), shownAction(BLOCK)]).toEqual([BLOCK, BLOCK]);
});
