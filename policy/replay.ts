import { exactParts, ofParts } from '../domain/amounts';
import { MINUTE_MS } from '../domain/durations';
import type { PolicyInForce } from '../domain/policies';
import { applying, evaluate } from './evaluate';
import { needsOf } from './needs';
import type { ChangeFacts, Facts, Outcome, WindowUsage } from './types';
import { sharesOf } from './usage';

/** An activity with the outcome and the facts of its first judgement. */
export type Recorded = {
  readonly activityId: string;
  readonly date: Date;
  readonly outcome: Outcome;
  readonly facts: Facts | ChangeFacts;
};

/**
 * `Passed`: the policy applied and did not trigger. `Triggered`: the policy triggered, but neither held nor blocked the
 * activity. `Asked`: the policy held the activity for an approval. `NotKnown`: the vendor of the rule was never queried about
 * the activity.
 */
export const REPLAY_OUTCOMES = ['NotApplied', 'Passed', 'Triggered', 'Asked', 'Blocked', 'NotKnown'] as const;
export type ReplayOutcome = (typeof REPLAY_OUTCOMES)[number];
export type Replayed = { readonly outcome: ReplayOutcome; readonly reason: string };

/** `at` is in milliseconds. `amount` is the result of `exactParts` for a value in micro-USD; null if the value is unknown. */
type Entry = { readonly at: number; readonly amount: bigint | null };
/** The current addresses of registry entries on a network. */
type Registered = (network: string) => Readonly<Record<string, string>>;

const LEFT_KEPT = 10_000;

/**
 * Replays recorded activities, oldest first, against one policy. The usage within the windows comes from the replayed
 * activities. Activities that were blocked, or that this policy would block, are not included.
 */
export function replayOf(policy: PolicyInForce, registered: Registered): (recorded: Recorded) => Replayed {
  // A proposal is replayed as if it were enforced, even if its mode is `Shadow`.
  const enforced = { ...policy, mode: 'Enforce' as const };
  const { timeframes, screenings, travelRule, registryAddressIds } = needsOf([enforced]);
  const windows = timeframes.map((minutes) => windowOf(minutes));

  const isUnasked = (facts: Facts) =>
    screenings.some((vendor) => !facts.screenings?.some((one) => one.vendor === vendor)) ||
    (travelRule && facts.travelRule === undefined);

  return ({ facts, date, outcome }) => {
    if (!('walletId' in facts)) return replayed(enforced, facts);
    const shares = sharesOf(facts).map(({ walletId, amountUsdMicro }) => ({
      walletId,
      entry: { at: date.getTime(), amount: amountUsdMicro === null ? null : exactParts(amountUsdMicro) },
    }));
    const usage = windows.flatMap((window) => shares.map(({ walletId, entry }) => window.with(walletId, entry)));
    const now: Facts = {
      ...facts,
      ...(timeframes.length === 0 ? {} : { usage }),
      ...(registryAddressIds.length === 0 ? {} : { registryAddresses: registered(facts.network) }),
    };
    const isJudged = applying([enforced], now).length > 0;
    const found: Replayed =
      isJudged && isUnasked(now)
        ? { outcome: 'NotKnown', reason: 'The vendor was not asked about this activity' }
        : replayed(enforced, now);
    if (outcome !== 'Blocked' && found.outcome !== 'Blocked')
      for (const window of windows) for (const { walletId, entry } of shares) window.add(walletId, entry);
    return found;
  };
}

function replayed(policy: PolicyInForce, facts: Facts | ChangeFacts): Replayed {
  const { outcome, evaluations } = evaluate([policy], facts);
  const [evaluation] = evaluations;
  if (evaluation === undefined) return { outcome: 'NotApplied', reason: 'The filters of the policy do not match' };
  const { triggered, reason } = evaluation;
  if (!triggered) return { outcome: 'Passed', reason };
  return { outcome: ({ Blocked: 'Blocked', Held: 'Asked', Cleared: 'Triggered' } as const)[outcome], reason };
}

type Window = { readonly entries: Entry[]; first: number; sum: bigint; unknown: number };

/** Does not include entries of exactly the age `timeframeMinutes`. Calls must be in order of time. */
function windowOf(timeframeMinutes: number) {
  const used = new Map<string, Window>();
  const at = (walletId: string, moment: number): Window => {
    const window = used.get(walletId) ?? { entries: [], first: 0, sum: 0n, unknown: 0 };
    used.set(walletId, window);
    const edge = moment - timeframeMinutes * MINUTE_MS;
    for (let one = window.entries[window.first]; one !== undefined && one.at <= edge; one = window.entries[window.first]) {
      window.first += 1;
      count(window, one, -1);
    }
    // Expired entries are removed in batches, which bounds the memory of a long replay.
    if (window.first >= LEFT_KEPT) window.entries.splice(0, window.first);
    if (window.first >= LEFT_KEPT) window.first = 0;
    return window;
  };
  return {
    add: (walletId: string, entry: Entry): void => {
      const window = at(walletId, entry.at);
      window.entries.push(entry);
      count(window, entry, 1);
    },
    with: (walletId: string, { at: moment, amount }: Entry): WindowUsage => {
      const { entries, first, sum, unknown } = at(walletId, moment);
      const amountUsdMicro = unknown > 0 || amount === null ? null : ofParts(sum + amount);
      return { walletId, timeframeMinutes, count: entries.length - first + 1, amountUsdMicro };
    },
  };
}

function count(window: Window, { amount }: Entry, sign: 1 | -1): void {
  if (amount === null) window.unknown += sign;
  else window.sum += BigInt(sign) * amount;
}
