import { z } from 'zod';
import { createBacktest as create } from '../../../application/backtests/backtests';
import { DAY_MS } from '../../../domain/durations';
import { operation } from '../../http/operation';
import { contentOf, PolicyBody } from '../policies/schemas';
import { Backtest } from './schemas';

const PERIOD_DAYS_MAX = 366;

const Moment = z.iso.datetime({ offset: true });
const spanMs = ({ from, to }: { readonly from: string; readonly to: string }) => Date.parse(to) - Date.parse(from);

export const createBacktest = operation({
  id: 'createBacktest',
  method: 'post',
  path: '/v2/policies/backtests',
  tag: 'policies',
  summary: 'Replay the recorded activities of a period against a proposed policy',
  description:
    "The workflow `backtest` replays every activity of the policy's kind whose first judgement lies in the period, with the " +
    'facts of that judgement; it does not hold activities, count usage, query vendors or emit events. The response has the ' +
    'status `Running`; `getBacktest` returns the progress, and `listBacktestResults` returns the activities that the policy ' +
    'would not have passed. The policy is checked in the same way as when it is created (`InvalidRequest`, 400) and replayed ' +
    'as if it were enforced. An organisation can run one backtest at a time (`Conflict`, 409); a backtest over more than a ' +
    'million activities, including those in the velocity window before the period, ends as `Failed`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      policy: PolicyBody,
      from: Moment.describe('The start of the period, inclusive'),
      to: Moment.describe(`The end of the period, exclusive: after \`from\`, by at most ${PERIOD_DAYS_MAX} days`),
      walletId: z.string().min(1).max(64).exactOptional().describe('Limits the replay to activities of this wallet'),
    })
    .refine((body) => spanMs(body) > 0, { path: ['to'], message: 'must be after from' })
    .refine((body) => spanMs(body) <= PERIOD_DAYS_MAX * DAY_MS, {
      path: ['to'],
      message: `must not be more than ${PERIOD_DAYS_MAX} days after from`,
    }),
  response: Backtest,
  handle: ({ body: { policy, from, to, walletId }, authority }, services) =>
    create(services, authority, { policy: contentOf(policy), from: new Date(from), to: new Date(to), walletId }),
});
