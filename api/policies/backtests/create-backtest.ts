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
  summary: 'Replay the recorded activities of a period against a proposed policy; one at a time, and without other effects',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Evaluations:Read',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({ policy: PolicyBody, from: Moment, to: Moment, walletId: z.string().min(1).max(64).exactOptional() })
    .refine((body) => spanMs(body) > 0, { path: ['to'], message: 'must be after from' })
    .refine((body) => spanMs(body) <= PERIOD_DAYS_MAX * DAY_MS, {
      path: ['to'],
      message: `must not be more than ${PERIOD_DAYS_MAX} days after from`,
    }),
  response: Backtest,
  handle: ({ body: { policy, from, to, walletId }, authority }, services) =>
    create(services, authority, { policy: contentOf(policy), from: new Date(from), to: new Date(to), walletId }),
});
