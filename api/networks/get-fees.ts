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
    'The estimates come from a node of the network, as of `blockNumber`; their members and units depend on `kind`. The call ' +
    'returns 400 `NetworkNotEnabled` if this installation has no nodes for the network, 404 `NotFound` if the tier of the ' +
    'network does not include fee estimates, and 503 `NetworkUnavailable` if no node responds.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({}),
  query: z.object({ network: z.string().min(1).max(64).describe('Name of a network, as `listNetworks` returns it') }),
  body: z.unknown(),
  response: FeeEstimates,
  handle: ({ query }, services) => feesOf(services, query.network),
});
