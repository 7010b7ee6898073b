import fc from 'fast-check';
import type { PolicyInForce } from '../../domain/policies';
import { evaluate } from '../../policy/evaluate';
import type { ChangeFacts, Facts, Verdict } from '../../policy/types';
import { policiesOnChanges, policiesOnSigning, someChange, someSigning } from './arbitrary';
import { modelVerdict } from './model';

const RUNS = { numRuns: 1_000 };
const SEVERITY = { Cleared: 0, Held: 1, Blocked: 2 };

const triggers = (evaluations: Verdict['evaluations']) =>
  Object.fromEntries(evaluations.map(({ policyId, triggered }) => [policyId, triggered]));

/** The verdict of the engine in the terms of the model. */
function inWords(policies: readonly PolicyInForce[], facts: Facts | ChangeFacts) {
  const { outcome, evaluations, shadows, blockedBy, groups, autoRejectTimeoutMinutes: minutes } = evaluate(policies, facts);
  const places = new Map<string, number>();
  const named = groups.map(({ policyId }) => {
    const at = places.get(policyId) ?? 0;
    places.set(policyId, at + 1);
    return `${policyId}/${String(at).padStart(3, '0')}`;
  });
  return { outcome, enforced: triggers(evaluations), shadows: triggers(shadows), blockedBy, groups: named.sort(), minutes };
}

/** Whether the first verdict demands at least everything that the second demands. */
function isAtLeastAsStrict(strict: Verdict, mild: Verdict): boolean {
  if (strict.outcome === 'Blocked') return true;
  const groupsIn = ({ groups }: Verdict) => groups.map(({ policyId, definition }) => `${policyId} ${definition.id}`);
  const asked = new Set(groupsIn(strict));
  const minutes = (verdict: Verdict) => verdict.autoRejectTimeoutMinutes ?? Number.POSITIVE_INFINITY;
  return (
    SEVERITY[strict.outcome] >= SEVERITY[mild.outcome] &&
    groupsIn(mild).every((group) => asked.has(group)) &&
    minutes(strict) <= minutes(mild)
  );
}

const shuffled = <T>(values: readonly T[]) => fc.shuffledSubarray([...values], { minLength: values.length });
const signing = fc.tuple(policiesOnSigning, someSigning);
const changes = fc.tuple(policiesOnChanges, someChange);

test('the engine and the model agree on every signing', () => {
  fc.assert(
    fc.property(signing, ([policies, facts]) => {
      expect(inWords(policies, facts)).toEqual(modelVerdict(policies, facts));
    }),
    RUNS,
  );
});

test('the engine and the model agree on every change', () => {
  fc.assert(
    fc.property(changes, ([policies, facts]) => {
      expect(inWords(policies, facts)).toEqual(modelVerdict(policies, facts));
    }),
    RUNS,
  );
});

test('the verdict and its texts are the same for any order of the policies', () => {
  const inOrders = signing.chain(([policies, facts]) => fc.tuple(fc.constant(policies), shuffled(policies), fc.constant(facts)));
  fc.assert(
    fc.property(inOrders, ([policies, others, facts]) => {
      expect(evaluate(others, facts)).toEqual(evaluate(policies, facts));
    }),
    RUNS,
  );
});

test('a further policy never loosens a verdict, and a policy in shadow mode changes nothing', () => {
  fc.assert(
    fc.property(signing, ([policies, facts]) => {
      const [first, ...fewer] = policies;
      fc.pre(first !== undefined);
      const [all, without] = [evaluate(policies, facts), evaluate(fewer, facts)];
      expect(isAtLeastAsStrict(all, without)).toBe(true);
      const inShadow = evaluate([{ ...first, mode: 'Shadow' }, ...fewer], facts);
      expect({ ...inShadow, shadows: [] }).toEqual({ ...without, shadows: [] });
    }),
    RUNS,
  );
});

test('a further wallet on the key never loosens a verdict', () => {
  fc.assert(
    fc.property(signing, ([policies, facts]) => {
      fc.pre(facts.otherWallets !== undefined);
      const { otherWallets, ...alone } = facts;
      expect(isAtLeastAsStrict(evaluate(policies, facts), evaluate(policies, alone))).toBe(true);
    }),
    RUNS,
  );
});

test('a fact that becomes unknown never loosens a verdict', () => {
  const lost: readonly ((facts: Facts) => Facts)[] = [
    (facts) => ({ ...facts, amountUsdMicro: null }),
    (facts) => ({ ...facts, recipients: [] }),
    ({ paysNobody, ...facts }) => ({ ...facts, recipients: paysNobody ? [] : facts.recipients }),
    (facts) => ({ ...facts, ...(facts.sponsor ? { sponsor: { ...facts.sponsor, amountUsdMicro: null } } : {}) }),
    ({ usage, ...facts }) => ({ ...facts, usage: (usage ?? []).slice(1) }),
    ({ usage, ...facts }) => ({ ...facts, usage: (usage ?? []).map((one) => ({ ...one, amountUsdMicro: null })) }),
    (facts) => ({ ...facts, registryAddresses: {} }),
    ({ travelRule, ...facts }) => (travelRule?.kind === 'NotApplicable' ? { ...facts, travelRule } : facts),
  ];
  fc.assert(
    fc.property(signing, fc.constantFrom(...lost), ([policies, facts], lose) => {
      expect(isAtLeastAsStrict(evaluate(policies, lose(facts)), evaluate(policies, facts))).toBe(true);
    }),
    RUNS,
  );
});

test('the random activities have every outcome often enough for a meaningful comparison', () => {
  const outcomes = fc.sample(signing, 500).map(([policies, facts]) => evaluate(policies, facts).outcome);
  for (const outcome of ['Cleared', 'Held', 'Blocked'] as const) {
    expect(outcomes.filter((one) => one === outcome).length).toBeGreaterThan(25);
  }
});
