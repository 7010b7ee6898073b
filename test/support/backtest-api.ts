import { replayBacktest } from '../../application/backtests/replay';
import { newId } from '../../platform/ids';
import type { Own, Person } from './api';
import { insertWallet, judgeTransfer } from './held-activity';
import { startPermissionApi } from './permission-api';
import { RECIPIENT } from './policies';
import { policyBody } from './policy-api';

const HOUR_MS = 3_600_000;

/** The real API with an organisation whose transfers are judged; no workflow runs, so a test says when a backtest is played. */
export async function startBacktestApi(options: Own = {}) {
  const parts = await startPermissionApi(options);
  const { admin, body, db, orgId } = parts;
  const walletId = await insertWallet(db, orgId);
  return {
    ...parts,
    walletId,
    /** Judges transfers of so many dollars each, one after the other; answers their ids. */
    transfers: async (dollars: readonly number[], wallet = walletId): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (const value of dollars) {
        const activityId = newId('transfer');
        const facts = { walletId: wallet, initiatorId: admin.userId, recipients: [RECIPIENT], activityId };
        await judgeTransfer(db, orgId, { ...facts, amountUsdMicro: `${value}000000` });
        ids.push(activityId);
      }
      return ids;
    },
    proposal: (set: Record<string, unknown> = {}) => ({
      policy: policyBody({
        rule: { kind: 'TransactionAmountLimit', configuration: { limit: 10, currency: 'USD' } },
        action: { kind: 'Block' },
      }),
      from: new Date(Date.now() - HOUR_MS).toISOString(),
      to: new Date(Date.now() + HOUR_MS).toISOString(),
      ...set,
    }),
    create: (request: unknown, by: Person = admin) => by.client.change('POST', '/v2/policies/backtests', request),
    /** What its workflow would do. */
    play: (backtestId: string) => replayBacktest(db, { orgId, backtestId }),
    id: async (request: unknown): Promise<string> =>
      body<{ id: string }>(await admin.client.change('POST', '/v2/policies/backtests', request)).id,
  };
}

export type BacktestApi = Awaited<ReturnType<typeof startBacktestApi>>;
