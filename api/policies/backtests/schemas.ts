import { z } from 'zod';
import { BACKTEST_OUTCOMES, BACKTEST_STATUSES } from '../../../domain/backtests';

const count = z.int().min(0);

export const Backtest = z
  .object({
    id: z.string(),
    status: z.enum(BACKTEST_STATUSES),
    policyName: z.string(),
    walletId: z
      .string()
      .exactOptional()
      .describe('The wallet to which the replay is limited; absent if the replay covers all wallets'),
    from: z.iso.datetime().describe('Start of the period, inclusive'),
    to: z.iso.datetime().describe('End of the period, exclusive'),
    judgedUntil: z.iso.datetime().exactOptional().describe('The time that the replay has reached; absent before its first batch'),
    counts: z
      .object({
        judged: count.describe('Activities of the period'),
        passed: count.describe('The rule would not have triggered'),
        triggered: count.describe('Only reported, by `NoAction`'),
        asked: count.describe('Approval requested'),
        blocked: count.describe('Rejected'),
        notKnown: count.describe('The rule needs a vendor that was not queried at the time'),
      })
      .describe('Outcomes for the `judged` activities to which the policy applies'),
    reason: z.string().exactOptional().describe('Why the backtest failed; absent if it did not fail'),
    dateCreated: z.iso.datetime(),
    dateDone: z.iso.datetime().exactOptional().describe('When the backtest ended; absent while it runs'),
  })
  .meta({ id: 'Backtest' });

export const BacktestResult = z
  .object({
    activityId: z.string().describe('Id of the transfer, transaction, signature request, incoming transaction or change request'),
    date: z.iso.datetime().describe('When the activity was first judged'),
    outcome: z
      .enum(BACKTEST_OUTCOMES)
      .describe(
        '`Triggered`: only reported. `Asked`: approval requested. `NotKnown`: the rule needs a vendor that was not queried at ' +
          'the time',
      ),
    recordedOutcome: z
      .string()
      .describe('The verdict of the policies that were in force at that time: `Cleared`, `Held` or `Blocked`'),
    reason: z.string().describe('Why the policy would have had this outcome, as text for people'),
  })
  .meta({ id: 'BacktestResult' });

export const BacktestParams = z.strictObject({ backtestId: z.string().min(1).max(64) });
