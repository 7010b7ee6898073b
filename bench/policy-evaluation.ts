import type { Action, Filters, PolicyInForce, Rule } from '../domain/policies';
import { evaluate } from '../policy/evaluate';
import { applies } from '../policy/filters';
import type { Facts } from '../policy/types';
import type { Bench, Figure } from './bench';
import { median, percentile } from './percentiles';

const POLICIES = 1_000;
const EVALUATIONS = 400;
const ROUNDS = 5;
const CPU_MAX_MS = 1;
const WHITELISTED = 100;
const MICRO_PER_MS = 1_000;

const WALLET = 'wa-00000-00000-0000000000000001';
const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/**
 * Measures the CPU time of one verdict over a thousand policies of all kinds. The floor is the CPU time of only the policies'
 * filters.
 */
export const policyEvaluation: Bench['run'] = async ({ size, say }) => {
  const evaluations = Math.max(20, Math.round(EVALUATIONS * size));
  const scopes = { 'all apply': (): Filters | null => null, 'one in ten applies': oneInTen };
  const figures: Figure[] = [];
  for (const [scope, filtersOf] of Object.entries(scopes)) {
    const policies = Array.from({ length: POLICIES }, (_, at) => policyOf(at, filtersOf(at)));
    const judge = () => evaluate(policies, FACTS);
    const filter = () => policies.filter((policy) => applies(policy.filters, FACTS));
    const whole = cpuOf(judge, evaluations);
    const floor = cpuOf(filter, evaluations);
    say(`${scope}: ${whole.medianMs.toFixed(3)} ms of CPU, filters alone ${floor.medianMs.toFixed(3)} ms`);
    const cell = (column: string) => ({ table: `one activity against ${POLICIES} policies`, row: scope, column });
    figures.push(
      {
        name: `a verdict over ${POLICIES} policies, ${scope}, CPU`,
        value: whole.medianMs,
        unit: 'ms',
        aim: { atMost: CPU_MAX_MS },
        note: 'facts at hand',
      },
      { name: '', value: whole.medianMs, unit: 'ms', cell: cell('CPU of a verdict') },
      { name: '', value: floor.medianMs, unit: 'ms', cell: cell('CPU of the filters alone') },
      { name: '', value: whole.p99Ms, unit: 'ms', cell: cell('p99 of a verdict') },
    );
  }
  return figures;
};

/**
 * Measures `work`; the first round is a warm-up. The median is over the CPU time per call in each round, and the p99 over the
 * wall-clock time of a call.
 */
function cpuOf(work: () => unknown, count: number): { medianMs: number; p99Ms: number } {
  const rounds: number[] = [];
  const latenciesMs: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < count; at += 1) {
      const started = performance.now();
      work();
      if (round > 0) latenciesMs.push(performance.now() - started);
    }
    const { user, system } = process.cpuUsage(before);
    if (round > 0) rounds.push((user + system) / MICRO_PER_MS / count);
  }
  return { medianMs: median(rounds), p99Ms: percentile(latenciesMs, 0.99) };
}

const fallbacks = { skipUnscreenableTransaction: false, skipUnsupportedNetwork: false, skipUnsupportedAsset: false };
const addresses = Array.from({ length: WHITELISTED }, (_, at) => `0x${at.toString(16).padStart(40, 'a')}`);

const RULES: readonly Rule[] = [
  { kind: 'AlwaysTrigger' },
  { kind: 'TransactionAmountLimit', configuration: { limit: 1_000, currency: 'USD' } },
  { kind: 'TransactionAmountVelocity', configuration: { limit: 5_000, currency: 'USD', timeframe: 1_440 } },
  { kind: 'TransactionCountVelocity', configuration: { limit: 100, timeframe: 60 } },
  { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [...addresses, RECIPIENT.toLowerCase()] } },
  {
    kind: 'KytATransactionPrescreening',
    configuration: {
      alerts: { alertLevel: 'HIGH', categoryIds: [] },
      exposures: { direct: { categoryIds: [3, 4] } },
      addresses: { categoryIds: [5] },
      fallbackBehaviours: { ...fallbacks, skipKytAFailure: false },
    },
  },
  {
    kind: 'KytBTransactionPrescreening',
    configuration: { riskScoreThreshold: 60, fallbackBehaviours: { ...fallbacks, skipKytBFailure: false } },
  },
  {
    kind: 'TravelRuleTransactionPrescreening',
    configuration: { vendor: 'TravelRuleVendor', autoTriggerTimeoutSeconds: 3_600 },
  },
];

const ACTIONS: readonly Action[] = [
  { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] },
  { kind: 'RequestApproval', approvalGroups: [{ quorum: 2, approvers: {} }], autoRejectTimeout: 60 },
];

const FACTS: Facts = {
  walletId: WALLET,
  walletTags: ['hot', 'eu', 'tag-0'],
  initiatorId: 'us-00000-00000-0000000000000001',
  recipients: [RECIPIENT],
  amountUsdMicro: '25000000',
  network: 'Ethereum',
  usage: [
    { walletId: WALLET, timeframeMinutes: 1_440, count: 12, amountUsdMicro: '400000000' },
    { walletId: WALLET, timeframeMinutes: 60, count: 3, amountUsdMicro: '90000000' },
  ],
  screenings: [
    {
      vendor: 'KytA',
      result: { kind: 'Screened', alerts: [{ level: 'LOW', categoryId: 1 }], directExposures: [], addresses: [] },
    },
    { vendor: 'KytB', result: { kind: 'Screened', riskScore: 12 } },
  ],
  travelRule: { kind: 'Ended', state: 'Accepted' },
};

function oneInTen(at: number): Filters {
  if (at % 10 === 0) return { walletId: { in: [WALLET] } };
  return at % 2 === 0
    ? { walletTags: { hasAny: [`tag-${at}`, `tag-${at + 1}`] } }
    : { walletId: { in: [`wa-${at}`, `wa-${at + 1}`] } };
}

function policyOf(at: number, filters: Filters | null): PolicyInForce {
  return {
    // The ids are not in order, because the store may return policies in any order.
    id: `plc-${((at * 7_919) % 100_003).toString().padStart(6, '0')}`,
    name: `Policy ${at}`,
    version: 1,
    activityKind: 'Wallets:Sign',
    rule: RULES[Math.floor(at / 10) % RULES.length] ?? { kind: 'AlwaysTrigger' },
    action: ACTIONS[at % ACTIONS.length] ?? { kind: 'Block' },
    filters,
    mode: at % 20 === 19 ? 'Shadow' : 'Enforce',
  };
}
