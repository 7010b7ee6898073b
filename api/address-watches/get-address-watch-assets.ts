import { z } from 'zod';
import { watchedBalances } from '../../application/address-watches/address-watches';
import { withWorth } from '../../application/outgoing/quotes';
import { operation } from '../http/operation';
import { AddressWatchAssets, AddressWatchParams } from './schemas';

export const getAddressWatchAssets = operation({
  id: 'getAddressWatchAssets',
  method: 'get',
  path: '/address-watches/:addressWatchId/assets',
  tag: 'address-watches',
  summary: 'Read the balances of a watched address',
  description:
    'Queries the network for the native balance and the token balances of the address. The queried tokens are those in the ' +
    "network's record, and up to 100 tokens from the newest recorded movements of the address. With `netWorth=true` each asset " +
    'carries its price in `quotes`, and `netWorth` is the total value. An unknown or outdated price is absent, and a total ' +
    'that needs an absent price is absent too. The call returns 503 `NetworkUnavailable` if no node responds, and 409 ' +
    '`WrongState` if the watch is archived.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'AddressWatches:Read',
  userAction: false,
  params: AddressWatchParams,
  query: z.object({ netWorth: z.literal('true').optional().describe('Adds prices and the total value') }),
  body: z.undefined(),
  response: AddressWatchAssets,
  handle: async ({ params: { addressWatchId }, query, authority: { caller } }, services) => {
    const reader = services.db.read(caller.orgId);
    const { network, assets } = await watchedBalances(services, reader, addressWatchId);
    const shown = query.netWorth === undefined ? { assets: [...assets] } : await withWorth(reader, network, assets);
    return { addressWatchId, network, ...shown };
  },
});
