import { z } from 'zod';
import { exportBacktestResults as exported } from '../../../application/backtests/backtests';
import { TextAnswer } from '../../http/answer';
import { operation } from '../../http/operation';
import { BacktestParams } from './schemas';

export const exportBacktestResults = operation({
  id: 'exportBacktestResults',
  method: 'get',
  path: '/v2/policies/backtests/:backtestId/results.csv',
  tag: 'policies',
  summary: 'Export the whole result of a backtest as CSV',
  description:
    'The columns are `date`, `activityId`, `outcome`, `recordedOutcome` and `reason`, and the rows are those of ' +
    '`listBacktestResults`, oldest first. A cell that a spreadsheet would take for a formula is escaped. A client that prefers ' +
    'JSON receives the text as a JSON string.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: BacktestParams,
  query: z.strictObject({}),
  body: z.undefined(),
  media: 'text/csv',
  response: z.string(),
  handle: async ({ params, authority }, { db }) =>
    new TextAnswer('text/csv', await exported(db.read(authority.caller.orgId), params.backtestId)),
});
