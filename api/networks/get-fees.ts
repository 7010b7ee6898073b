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
  description:
    'The estimates come from a node of the network, as of `blockNumber`; their members and units depend on `kind`. A ' +
    'network without nodes in this installation causes 400 `NetworkNotEnabled`, a network whose tier has no fee estimates ' +
    'causes 404 `NotFound`, and nodes that do not respond cause 503 `NetworkUnavailable`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({}),
  query: z.object({ network: z.string().min(1).max(64).describe('Name of a network, as in listNetworks') }),
  body: z.unknown(),
  response: FeeEstimates,
  handle: ({ query }, services) => feesOf(services, query.network),
});
