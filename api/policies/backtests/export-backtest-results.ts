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
  summary: 'Export the whole result of a backtest as CSV; a client that asks for JSON receives it as a JSON string',
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
