import { z } from 'zod';
import { listBacktestResults as list } from '../../../application/backtests/backtests';
import { backtestResultView } from '../../../application/backtests/view';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { BacktestParams, BacktestResult } from './schemas';

export const listBacktestResults = operation({
  id: 'listBacktestResults',
  method: 'get',
  path: '/v2/policies/backtests/:backtestId/results',
  tag: 'policies',
  summary: 'List the activities that the policy would not have passed outright, oldest first',
  description:
    'Returns one entry for each activity that the policy would have reported, held or blocked, or could not judge; activities ' +
    'that it would have passed are not listed. While the backtest runs, the list contains the results so far.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: BacktestParams,
  query: PageQuery,
  body: z.undefined(),
  response: z.object({
    items: z.array(BacktestResult),
    nextPageToken: z.string().optional().describe('Absent on the last page'),
  }),
  handle: async ({ params, query: { limit, paginationToken }, authority }, { db }) => {
    const page = { after: afterOf(paginationToken), limit };
    const found = await list(db.read(authority.caller.orgId), params.backtestId, page);
    const { rows, ...next } = pageOf(found, limit);
    return { items: rows.map(backtestResultView), ...next };
  },
});
