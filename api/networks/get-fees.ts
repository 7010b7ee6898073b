import { z } from 'zod';
import { feesOf } from '../../application/networks/fees';
import { FeeEstimates } from '../fee-schemas';
import { operation } from '../http/operation';

export const getFees = operation({
  id: 'getFees',
  method: 'get',
  path: '/networks/fees',
  tag: 'networks',
  summary: 'Estimate the current fees of a network at each priority',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({}),
  query: z.object({ network: z.string().min(1).max(64) }),
  body: z.unknown(),
  response: FeeEstimates,
  handle: ({ query }, services) => feesOf(services, query.network),
});
