import { z } from 'zod';
import { getBacktest as get } from '../../../application/backtests/backtests';
import { operation } from '../../http/operation';
import { Backtest, BacktestParams } from './schemas';

export const getBacktest = operation({
  id: 'getBacktest',
  method: 'get',
  path: '/v2/policies/backtests/:backtestId',
  tag: 'policies',
  summary: 'Read the progress of a backtest and the outcomes so far',
  description:
    'The counts grow while the status is `Running`, and are final once it is `Done`. A `Failed` backtest keeps the counts ' +
    'that it had reached and states the `reason`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: false,
  params: BacktestParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Backtest,
  handle: ({ params, authority }, { db }) => get(db.read(authority.caller.orgId), params.backtestId),
});
