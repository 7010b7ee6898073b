import {
  BACKTEST_OUTCOMES,
  type BacktestCounts,
  type BacktestOutcome,
  type BacktestRef,
  NO_COUNTS,
} from '../../domain/backtests';
import { MINUTE_MS } from '../../domain/durations';
import { invariant } from '../../domain/errors';
import { NETWORK_NAMES } from '../../domain/networks';
import type { PolicyInForce } from '../../domain/policies';
import type { BacktestEntity } from '../../entities/backtests/backtest.entity';
import { type BacktestResult, backtestStore, type FirstVerdict } from '../../entities/backtests/backtest.store';
import type { Database, Reader } from '../../entities/database';
import { needsOf } from '../../policy/needs';
import { type Recorded, type Replayed, type ReplayOutcome, replayOf } from '../../policy/replay';
import type { Facts, Outcome } from '../../policy/types';
import { listedAddresses } from '../registry/listed-addresses';

const BATCH = 500;
/** The highest number of activities in one backtest. */
const ACTIVITIES_MAX = 1_000_000;

const COUNTED: Readonly<Record<Exclude<ReplayOutcome, 'NotApplied'>, keyof BacktestCounts>> = {
  Passed: 'passed',
  Triggered: 'triggered',
  Asked: 'asked',
  Blocked: 'blocked',
  NotKnown: 'notKnown',
};

const isWorthALine = (outcome: ReplayOutcome): outcome is BacktestOutcome => BACKTEST_OUTCOMES.some((one) => one === outcome);

/**
 * Stores progress and results batch by batch. Every attempt also replays the longest usage window before the period, because
 * usage depends on earlier activities. The results of an earlier attempt are kept.
 */
export async function replayBacktest(db: Database, { orgId, backtestId }: BacktestRef): Promise<void> {
  const reader = db.read(orgId);
  const row = await backtestStore.find(reader, backtestId);
  invariant(row, 'a backtest exists before its workflow starts');
  if (row.status !== 'Running') return;
  const policy: PolicyInForce = { mode: 'Enforce', ...row.policy, id: row.id, version: 1 };
  const { timeframes, registryAddressIds } = needsOf([policy]);
  const replay = replayOf(policy, await registeredNow(reader, registryAddressIds));
  const warmUpMs = Math.max(0, ...timeframes) * MINUTE_MS;

  let counts = NO_COUNTS;
  let seen = 0;
  let behind = { date: new Date(row.dateFrom.getTime() - warmUpMs), id: '' };
  for (;;) {
    const period = { activityKind: policy.activityKind, to: row.dateTo, limit: BATCH };
    const verdicts = await backtestStore.firstVerdicts(reader, behind, period);
    const played = verdicts.map((verdict) => ({ verdict, found: replay(recordedOf(verdict)) }));
    const judged = played.filter(({ verdict }) => isAskedFor(row, verdict));
    counts = judged.reduce((sofar, { found }) => countedWith(sofar, found), counts);
    seen += verdicts.length;
    const last = verdicts.at(-1);
    if (last) {
      behind = { date: last.date, id: last.id };
      const results = judged.flatMap(({ verdict, found }) => lineOf(verdict, found));
      await db.withOrg(orgId, (tx) => backtestStore.note(tx, backtestId, { counts, judgedUntil: behind.date }, results));
    }
    if (seen > ACTIVITIES_MAX) return failBacktest(db, { orgId, backtestId }, 'The period holds more than a million activities');
    if (verdicts.length < BATCH) break;
  }
  await db.withOrg(orgId, (tx) => backtestStore.end(tx, backtestId, 'Done', null));
}

/** Has no effect on a backtest that has ended. */
export async function failBacktest(db: Database, { orgId, backtestId }: BacktestRef, reason: string): Promise<void> {
  await db.withOrg(orgId, (tx) => backtestStore.end(tx, backtestId, 'Failed', reason));
}

const recordedOf = ({ activityId, date, outcome, facts }: FirstVerdict): Recorded => ({
  activityId,
  date,
  // The evaluation wrote `outcome` and `facts`, so their types are known.
  outcome: outcome as Outcome,
  facts: facts as Recorded['facts'],
});

/**
 * Whether the activity lies in the period and, if the backtest specifies a wallet, concerns this wallet. Activities before the
 * period only fill the usage windows.
 */
function isAskedFor({ dateFrom, walletId }: BacktestEntity, { date, facts }: FirstVerdict): boolean {
  const { walletId: own, otherWallets = [] } = facts as Partial<Facts>;
  return date >= dateFrom && (walletId === null || [own, ...otherWallets.map((wallet) => wallet.walletId)].includes(walletId));
}

function countedWith(counts: BacktestCounts, { outcome }: Replayed): BacktestCounts {
  const judged = counts.judged + 1;
  if (outcome === 'NotApplied') return { ...counts, judged };
  const name = COUNTED[outcome];
  return { ...counts, judged, [name]: counts[name] + 1 };
}

function lineOf(
  { id, activityId, date, outcome: recordedOutcome }: FirstVerdict,
  { outcome, reason }: Replayed,
): BacktestResult[] {
  return isWorthALine(outcome) ? [{ id, activityId, dateJudged: date, outcome, recordedOutcome, reason }] : [];
}

/** Returns the current addresses, because a backtest cannot determine which addresses the registry contained earlier. */
async function registeredNow(reader: Reader, ids: readonly string[]) {
  const listed = await Promise.all(
    NETWORK_NAMES.map(async (network) => [network, await listedAddresses(reader, ids, network)] as const),
  );
  const byNetwork = new Map<string, Readonly<Record<string, string>>>(listed);
  return (network: string) => byNetwork.get(network) ?? {};
}
