import { replayBacktest } from '../../application/backtests/replay';
import { newId } from '../../platform/ids';
import type { Own, Person } from './api';
import { insertWallet, judgeTransfer } from './held-activity';
import { startPermissionApi } from './permission-api';
import { RECIPIENT } from './policies';
import { policyBody } from './policy-api';

const HOUR_MS = 3_600_000;

/** The real API with an organisation and a wallet. No workflow runs, so a test plays each backtest itself. */
export async function startBacktestApi(options: Own = {}) {
  const parts = await startPermissionApi(options);
  const { admin, body, db, orgId } = parts;
  const walletId = await insertWallet(db, orgId);
  return {
    ...parts,
    walletId,
    /** Judges one transfer for each amount in dollars, in order, and returns the ids of the transfers. */
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
    /** Plays the backtest as its workflow would. */
    play: (backtestId: string) => replayBacktest(db, { orgId, backtestId }),
    id: async (request: unknown): Promise<string> =>
      body<{ id: string }>(await admin.client.change('POST', '/v2/policies/backtests', request)).id,
  };
}

export type BacktestApi = Awaited<ReturnType<typeof startBacktestApi>>;
