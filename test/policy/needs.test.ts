import type { Rule } from '../../domain/policies';
import { needsOf } from '../../policy/needs';
import { ALWAYS, NEVER, somePolicy } from '../support/policies';

const skips = { skipUnscreenableTransaction: true, skipUnsupportedNetwork: true, skipUnsupportedAsset: true };
const within = (timeframe: number): Rule => ({ kind: 'TransactionCountVelocity', configuration: { limit: 1, timeframe } });
const amountWithin = (timeframe: number): Rule => ({
  kind: 'TransactionAmountVelocity',
  configuration: { limit: 1, currency: 'USD', timeframe },
});
const score: Rule = {
  kind: 'KytBTransactionPrescreening',
  configuration: { riskScoreThreshold: 1, fallbackBehaviours: { ...skips, skipKytBFailure: true } },
};
const listing = (...registryAddressIds: readonly string[]): Rule => ({
  kind: 'TransactionRecipientWhitelist',
  configuration: { addresses: [], registryAddressIds },
});
const travel: Rule = {
  kind: 'TravelRuleTransactionPrescreening',
  configuration: { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: 60 },
};

const needs = (...rules: readonly Rule[]) => needsOf(rules.map((rule, at) => somePolicy(`plc-${at}`, { rule })));
const NOTHING = { timeframes: [], screenings: [], travelRule: false, travelRuleTimes: null, registryAddressIds: [] };

test('rules that judge only the activity itself need no further facts', () => {
  expect(needs()).toEqual(NOTHING);
  expect(needs(ALWAYS, NEVER, { kind: 'TransactionRecipientWhitelist', configuration: { addresses: ['a'] } })).toEqual(NOTHING);
});

test('facts that several policies need are gathered once', () => {
  expect(needs(within(60), amountWithin(60), amountWithin(5), within(60))).toEqual({ ...NOTHING, timeframes: [60, 5] });
  expect(needs(score, score)).toEqual({ ...NOTHING, screenings: ['KytB'] });
  expect(needs(listing('adr-1', 'adr-2'), listing('adr-2', 'adr-3'))).toEqual({
    ...NOTHING,
    registryAddressIds: ['adr-1', 'adr-2', 'adr-3'],
  });
});

test('a policy in shadow mode needs the same facts as an enforced policy, but sends no message', () => {
  expect(needsOf([somePolicy('plc-1', { rule: score, mode: 'Shadow' })])).toEqual({ ...NOTHING, screenings: ['KytB'] });
  const shadowed = needsOf([somePolicy('plc-1', { rule: travel, mode: 'Shadow' })]);
  expect(shadowed).toEqual({ ...NOTHING, travelRule: true });
  expect(needs(travel).travelRuleTimes).not.toBeNull();
});
