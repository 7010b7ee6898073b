import fc from 'fast-check';
import type { PolicyInForce } from '../../domain/policies';
import { evaluate, isStricter } from '../../policy/evaluate';
import { ALWAYS, askFor, BLOCK, NEVER, someFacts, somePolicy } from '../support/policies';

const finance = { name: 'Finance', quorum: 2, approvers: {} };
const risk = { name: 'Risk', quorum: 1, approvers: { userId: { in: ['us-a'] } } };

test('without policies, an activity is cleared', () => {
  const verdict = evaluate([], someFacts());
  expect(verdict).toEqual({
    outcome: 'Cleared',
    evaluations: [],
    shadows: [],
    blockedBy: [],
    groups: [],
    autoRejectTimeoutMinutes: null,
  });
});

test('an activity is cleared if its policy does not trigger, and the evaluation is recorded', () => {
  const verdict = evaluate([somePolicy('plc-1', { rule: NEVER, version: 7 })], someFacts());
  expect(verdict.outcome).toBe('Cleared');
  expect(verdict.evaluations).toMatchObject([{ policyId: 'plc-1', policyVersion: 7, triggered: false }]);
});

test('a policy with filters that do not apply leaves no evaluation', () => {
  const verdict = evaluate([somePolicy('plc-1', { filters: { walletTags: { hasAny: ['cold'] } } })], someFacts());
  expect(verdict).toMatchObject({ outcome: 'Cleared', evaluations: [] });
});

test('a block wins over every request for approval, and no person is asked', () => {
  const policies = [somePolicy('plc-1', { action: askFor([finance]) }), somePolicy('plc-2', { action: BLOCK })];
  expect(evaluate(policies, someFacts())).toMatchObject({ outcome: 'Blocked', blockedBy: ['plc-2'], groups: [] });
});

test('a block that does not trigger does not change the request for approval', () => {
  const policies = [somePolicy('plc-1', { action: askFor([finance]) }), somePolicy('plc-2', { rule: NEVER, action: BLOCK })];
  expect(evaluate(policies, someFacts())).toMatchObject({ outcome: 'Held', blockedBy: [], groups: [{ policyId: 'plc-1' }] });
});

test('the groups of every triggered policy are asked together, with the shortest time-out', () => {
  const policies = [
    somePolicy('plc-2', { action: askFor([risk], 30) }),
    somePolicy('plc-1', { action: askFor([finance, risk], 60) }),
    somePolicy('plc-3', { action: askFor([risk]) }),
    somePolicy('plc-4', { action: askFor([risk], 1), rule: NEVER }),
  ];
  const verdict = evaluate(policies, someFacts());
  expect(verdict.groups).toEqual([
    { policyId: 'plc-1', definition: { ...finance, id: '#0' } },
    { policyId: 'plc-1', definition: { ...risk, id: '#1' } },
    { policyId: 'plc-2', definition: { ...risk, id: '#0' } },
    { policyId: 'plc-3', definition: { ...risk, id: '#0' } },
  ]);
  expect(verdict.autoRejectTimeoutMinutes).toBe(30);
});

test('an approval without a time-out never expires', () => {
  expect(evaluate([somePolicy('plc-1', { action: askFor([risk]) })], someFacts()).autoRejectTimeoutMinutes).toBeNull();
  const withNull = { kind: 'RequestApproval', approvalGroups: [risk], autoRejectTimeout: null } as const;
  expect(evaluate([somePolicy('plc-1', { action: withNull })], someFacts()).autoRejectTimeoutMinutes).toBeNull();
});

const anyPolicies = fc
  .array(
    fc.record({
      rule: fc.constantFrom(ALWAYS, NEVER),
      action: fc.constantFrom(BLOCK, askFor([finance]), askFor([risk, finance], 10), askFor([risk], 5)),
      filters: fc.constantFrom(null, { walletTags: { hasAny: ['cold'] } }, { walletTags: { hasAny: ['hot'] } }),
    }),
    { maxLength: 8 },
  )
  .map((drafts) => drafts.map((draft, index): PolicyInForce => somePolicy(`plc-${index}`, draft)));

test('the order of the policies changes nothing', () => {
  const shuffled = anyPolicies.chain((policies) =>
    fc.tuple(fc.constant(policies), fc.shuffledSubarray(policies, { minLength: policies.length })),
  );
  fc.assert(
    fc.property(shuffled, ([policies, others]) => {
      const facts = someFacts({ walletTags: ['cold'] });
      expect(evaluate(others, facts)).toEqual(evaluate(policies, facts));
    }),
  );
});

test('a further policy never makes a verdict milder', () => {
  const severity = { Cleared: 0, Held: 1, Blocked: 2 };
  fc.assert(
    fc.property(anyPolicies, (policies) => {
      const facts = someFacts({ walletTags: ['cold'] });
      const fewer = evaluate(policies.slice(1), facts);
      const all = evaluate(policies, facts);
      expect(severity[all.outcome]).toBeGreaterThanOrEqual(severity[fewer.outcome]);
    }),
  );
});

describe('at release', () => {
  const held = (...policies: PolicyInForce[]) => evaluate(policies, someFacts());
  const first = somePolicy('plc-1', { action: askFor([finance]) });
  const approved = held(first).evaluations;

  test('the same policies require no new approval', () => {
    expect(isStricter(approved, held(first))).toBe(false);
  });

  test('a policy that triggers only now is stricter', () => {
    expect(isStricter(approved, held(first, somePolicy('plc-2', { action: askFor([risk]) })))).toBe(true);
  });

  test('a policy with a new version is stricter, because people approved under its earlier version', () => {
    expect(isStricter(approved, held({ ...first, version: 2 }))).toBe(true);
  });

  test('a policy that did not trigger at the request but triggers now is stricter', () => {
    expect(isStricter(held({ ...first, rule: NEVER }).evaluations, held(first))).toBe(true);
  });

  test('a policy that triggers only now but does not ask a person is not stricter', () => {
    const noticed = somePolicy('plc-2', { action: { kind: 'NoAction' } });
    expect(isStricter(approved, held(first, noticed))).toBe(false);
  });

  test('a removed policy is not stricter', () => {
    expect(isStricter(approved, held())).toBe(false);
  });

  test('a block is always stricter', () => {
    expect(isStricter(approved, held({ ...first, action: BLOCK }))).toBe(true);
  });

  test('without an approval, every triggered policy is stricter', () => {
    expect(isStricter([], held(first))).toBe(true);
    expect(isStricter([], held())).toBe(false);
  });
});

test('only AlwaysTrigger can judge a change, and any other rule triggers', () => {
  const facts = { initiatorId: 'us-1', permissionId: 'pm-1', policyId: null };
  const policies = [somePolicy('plc-1', { action: askFor([finance]) }), somePolicy('plc-2', { rule: NEVER, action: BLOCK })];
  expect(evaluate(policies.slice(0, 1), facts)).toMatchObject({ outcome: 'Held', groups: [{ policyId: 'plc-1' }] });
  expect(evaluate(policies, facts)).toMatchObject({ outcome: 'Blocked', blockedBy: ['plc-2'] });
});
