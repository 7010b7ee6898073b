import { z } from 'zod';
import { BACKTEST_OUTCOMES, BACKTEST_STATUSES } from '../../../domain/backtests';

const count = z.int().min(0);

export const Backtest = z
  .object({
    id: z.string(),
    status: z.enum(BACKTEST_STATUSES),
    policyName: z.string(),
    walletId: z.string().exactOptional(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    judgedUntil: z.iso.datetime().exactOptional().describe('The point in the period that the replay has reached'),
    counts: z
      .object({ judged: count, passed: count, triggered: count, asked: count, blocked: count, notKnown: count })
      .describe('Outcomes for those of the `judged` activities that the policy applies to'),
    reason: z.string().exactOptional(),
    dateCreated: z.iso.datetime(),
    dateDone: z.iso.datetime().exactOptional(),
  })
  .meta({ id: 'Backtest' });

export const BacktestResult = z
  .object({
    activityId: z.string(),
    date: z.iso.datetime().describe('When the activity was first judged'),
    outcome: z.enum(BACKTEST_OUTCOMES),
    recordedOutcome: z.string().describe('The verdict of the policies of that time'),
    reason: z.string(),
  })
  .meta({ id: 'BacktestResult' });

export const BacktestParams = z.strictObject({ backtestId: z.string().min(1).max(64) });
