import { stringify } from 'csv-stringify/sync';
import { NO_COUNTS } from '../../domain/backtests';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { BacktestEntity } from '../../entities/backtests/backtest.entity';
import { backtestStore } from '../../entities/backtests/backtest.store';
import type { BacktestResultEntity } from '../../entities/backtests/backtest-result.entity';
import type { Reader } from '../../entities/database';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { PolicyContent } from '../../entities/policies/policy.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { newId } from '../../platform/ids';
import { BACKTEST } from '../../workflows/backtest.messages';
import { assertSound } from '../policies/soundness';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { type BacktestView, backtestResultView, backtestView } from './view';

type Asked = {
  readonly policy: PolicyContent;
  readonly from: Date;
  readonly to: Date;
  readonly walletId?: string | undefined;
};
type Page = { readonly after: string | undefined; readonly limit: number };

const CSV_PAGE = 500;
const CSV_COLUMNS = ['date', 'activityId', 'outcome', 'recordedOutcome', 'reason'] as const;

const notFound = (backtestId: string) => new AppError('NotFound', 'backtest not found', { backtestId });

/**
 * Starts the replay of a proposed policy over the activities that were judged in a period. Throws `InvalidRequest` for an
 * invalid policy or an unknown wallet, and `Conflict` while another backtest of the organisation runs.
 */
export async function createBacktest(
  { db, dispatcher }: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  { policy, from, to, walletId }: Asked,
): Promise<BacktestView> {
  const { orgId, userId } = authority.caller;
  const id = newId('backtest');
  const start: Dispatch = {
    kind: 'start',
    aggregateId: id,
    dedupeKey: `start:${id}`,
    routing: { workflow: BACKTEST, summary: 'Replay a proposed policy over recorded activities' },
  };
  const view = await act(db, authority, async (tx) => {
    await assertSound(tx, policy, 'body.policy');
    if (walletId !== undefined && !(await walletStore.find(tx, walletId)))
      throw badField('walletId', 'is not a wallet of the organisation');
    const backtest = {
      id,
      policy,
      walletId: walletId ?? null,
      dateFrom: from,
      dateTo: to,
      requestedBy: userId,
      counts: NO_COUNTS,
    };
    if (!(await backtestStore.add(tx, backtest)))
      throw new AppError('Conflict', 'another backtest of the organisation is running');
    await outboxStore.add(tx, start);
    return backtestView(await present(tx, id));
  });
  // The call is not awaited, because the row is committed. If the call fails, the relay starts the workflow.
  void dispatcher.tryNow(orgId, start);
  return view;
}

/** Throws `NotFound`. */
export async function getBacktest(reader: Reader, backtestId: string): Promise<BacktestView> {
  return backtestView(await present(reader, backtestId));
}

/**
 * Lists the activities that the policy would have reported, held or blocked, oldest first. If there is a next page, the list
 * contains one activity more than `limit`. Throws `NotFound`.
 */
export async function listBacktestResults(reader: Reader, backtestId: string, page: Page): Promise<BacktestResultEntity[]> {
  await present(reader, backtestId);
  return backtestStore.results(reader, { backtestId, ...page });
}

/** Streams the CSV in parts. Throws `NotFound`. */
export async function exportBacktestResults(reader: Reader, backtestId: string): Promise<AsyncIterable<string>> {
  await present(reader, backtestId);
  return csvOf(reader, backtestId);
}

async function* csvOf(reader: Reader, backtestId: string): AsyncIterable<string> {
  yield stringify([[...CSV_COLUMNS]]);
  let after: string | undefined;
  for (;;) {
    const rows = await backtestStore.results(reader, { backtestId, after, limit: CSV_PAGE });
    const page = rows.slice(0, CSV_PAGE);
    yield stringify(page.map(backtestResultView), { columns: [...CSV_COLUMNS], escape_formulas: true });
    if (rows.length <= CSV_PAGE) return;
    after = page.at(-1)?.id;
  }
}

async function present(reader: Reader, backtestId: string): Promise<BacktestEntity> {
  const row = isId('backtest', backtestId) ? await backtestStore.find(reader, backtestId) : undefined;
  if (!row) throw notFound(backtestId);
  return row;
}
