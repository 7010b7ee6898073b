import fc from 'fast-check';
import type { Rule } from '../../domain/policies';
import { type Recorded, replayOf } from '../../policy/replay';
import type { Facts } from '../../policy/types';
import { ALWAYS, askFor, BLOCK, RECIPIENT, someFacts, somePolicy } from '../support/policies';

const START = Date.parse('2026-11-01T00:00:00Z');
const MINUTE_MS = 60_000;
const nobody = () => ({});

const recorded = (atMs: number, set: Partial<Recorded> = {}): Recorded => ({
  activityId: `xfr-${atMs}`,
  date: new Date(START + atMs),
  outcome: 'Cleared',
  facts: someFacts(),
  ...set,
});
const outcomes = (rule: Rule, activities: readonly Recorded[], action = BLOCK) => {
  const replay = replayOf(somePolicy('plc-1', { rule, action }), nobody);
  return activities.map((one) => replay(one).outcome);
};
const countOf = (limit: number): Rule => ({ kind: 'TransactionCountVelocity', configuration: { limit, timeframe: 1 } });
const amountOf = (limit: number): Rule => ({
  kind: 'TransactionAmountVelocity',
  configuration: { limit, currency: 'USD', timeframe: 1 },
});

test('each action has its outcome, and an activity outside the filters is not judged', () => {
  expect(outcomes(ALWAYS, [recorded(0)])).toEqual(['Blocked']);
  expect(outcomes(ALWAYS, [recorded(0)], askFor([{ quorum: 1, approvers: {} }]))).toEqual(['Asked']);
  expect(outcomes(ALWAYS, [recorded(0)], { kind: 'NoAction' })).toEqual(['Triggered']);
  expect(outcomes(countOf(1), [recorded(0)])).toEqual(['Passed']);
  const elsewhere = somePolicy('plc-1', { filters: { walletId: { in: ['wa-other'] } } });
  expect(replayOf(elsewhere, nobody)(recorded(0)).outcome).toBe('NotApplied');
});

test('a policy about key stores is replayed with the recorded store, and an activity without a recorded store is judged', () => {
  const replay = replayOf(somePolicy('plc-1', { filters: { storeId: { notIn: ['vault'] } } }), nobody);
  const from = (facts: Partial<Facts>) => replay(recorded(0, { facts: someFacts(facts) }));
  expect(from({ storeId: 'vault' }).outcome).toBe('NotApplied');
  expect(from({ storeId: 'software' })).toMatchObject({
    outcome: 'Blocked',
    reason: expect.stringMatching(/key store software$/),
  });
  expect(from({})).toMatchObject({ outcome: 'Blocked', reason: expect.stringMatching(/an unknown key store$/) });
});

test('a proposed policy in shadow mode is replayed as if it were enforced', () => {
  expect(replayOf(somePolicy('plc-1', { mode: 'Shadow' }), nobody)(recorded(0)).outcome).toBe('Blocked');
});

test('a window includes the recorded activities within it, to the millisecond, except blocked activities', () => {
  const asking = askFor([{ quorum: 1, approvers: {} }]);
  expect(outcomes(countOf(1), [recorded(0), recorded(MINUTE_MS - 1)], asking)).toEqual(['Passed', 'Asked']);
  expect(outcomes(countOf(1), [recorded(0), recorded(MINUTE_MS)], asking)).toEqual(['Passed', 'Passed']);
  // The third activity is blocked and not included, so the window of the fourth has only the first two.
  expect(outcomes(amountOf(2), [recorded(0), recorded(1), recorded(2), recorded(3)])).toEqual([
    'Passed',
    'Passed',
    'Blocked',
    'Blocked',
  ]);
  expect(outcomes(countOf(1), [recorded(0, { outcome: 'Blocked' }), recorded(1)])).toEqual(['Passed', 'Passed']);
});

test('an activity of unknown value makes the window unknown as long as the activity is in the window', () => {
  const unknown = recorded(0, { facts: someFacts({ amountUsdMicro: null }) });
  const asking = askFor([{ quorum: 1, approvers: {} }]);
  expect(outcomes(amountOf(100), [unknown, recorded(1), recorded(MINUTE_MS)], asking)).toEqual(['Asked', 'Asked', 'Passed']);
});

test('each wallet of a key has its own window', () => {
  const other = { walletId: 'wa-other', walletTags: [] };
  const ofKey = recorded(1, { facts: someFacts({ otherWallets: [other] }) });
  const ofOther = recorded(2, { facts: someFacts({ walletId: 'wa-other' }) });
  const asking = askFor([{ quorum: 1, approvers: {} }]);
  expect(outcomes(countOf(1), [ofKey, ofOther, recorded(3)], asking)).toEqual(['Passed', 'Asked', 'Asked']);
});

test('the finding of a vendor is unknown if the vendor was not queried, and a recorded finding is used', () => {
  const rule: Rule = {
    kind: 'KytBTransactionPrescreening',
    configuration: {
      riskScoreThreshold: 50,
      fallbackBehaviours: {
        skipKytBFailure: true,
        skipUnscreenableTransaction: true,
        skipUnsupportedAsset: true,
        skipUnsupportedNetwork: true,
      },
    },
  };
  const scored = (riskScore: number) =>
    recorded(0, { facts: someFacts({ screenings: [{ vendor: 'KytB', result: { kind: 'Screened', riskScore } }] }) });
  expect(outcomes(rule, [recorded(0), scored(49), scored(50)])).toEqual(['NotKnown', 'Passed', 'Blocked']);
});

test('a travel rule is judged only if the recorded facts contain the state of its message', () => {
  const rule: Rule = {
    kind: 'TravelRuleTransactionPrescreening',
    configuration: { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: 60 },
  };
  const carried = recorded(0, { facts: someFacts({ travelRule: { kind: 'NotCarried' } }) });
  expect(outcomes(rule, [recorded(0), carried])).toEqual(['NotKnown', 'Blocked']);
});

test('a replay uses the current entries of the registry, on the network of the activity', () => {
  const rule: Rule = { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [], registryAddressIds: ['adr-1'] } };
  const now = (network: string) => (network === 'EthereumSepolia' ? { 'adr-1': RECIPIENT } : {});
  const replay = replayOf(somePolicy('plc-1', { rule }), now);
  expect(replay(recorded(0)).outcome).toBe('Passed');
  expect(replay(recorded(0, { facts: someFacts({ network: 'Ethereum' }) })).outcome).toBe('Blocked');
});

test('a change is judged by its own facts', () => {
  const policy = somePolicy('plc-1', { activityKind: 'Permissions:Modify', filters: { permissionId: { in: ['pm-1'] } } });
  const change = (permissionId: string) => recorded(0, { facts: { initiatorId: 'us-1', permissionId, policyId: null } });
  const replay = replayOf(policy, nobody);
  expect([replay(change('pm-1')).outcome, replay(change('pm-2')).outcome]).toEqual(['Blocked', 'NotApplied']);
});

test('a window has the same sum as a full count of the activities, for any times', () => {
  const step = fc.record({ afterMs: fc.integer({ min: 0, max: 40_000 }), dollars: fc.integer({ min: 0, max: 3 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (steps, limit) => {
      let now = 0;
      const activities = steps.map(({ afterMs, dollars }) => {
        now += afterMs;
        return { at: now, dollars };
      });
      const kept: typeof activities = [];
      const expected = activities.map((one) => {
        const within = kept.filter(({ at }) => at > one.at - MINUTE_MS).reduce((sum, { dollars }) => sum + dollars, one.dollars);
        if (within > limit) return 'Blocked';
        kept.push(one);
        return 'Passed';
      });
      const played = activities.map(({ at, dollars }) =>
        recorded(at, { facts: someFacts({ amountUsdMicro: `${dollars}000000` }) }),
      );
      expect(outcomes(amountOf(limit), played)).toEqual(expected);
    }),
  );
});
