import { z } from 'zod';
import { listWallets as list } from '../../../application/wallets/list-wallets';
import { viewOf } from '../../../application/wallets/view';
import { operation } from '../../http/operation';
import { afterOf, pageOf } from '../../http/pagination';
import { ListWalletsQuery, WalletPage } from './schemas';

export const listWallets = operation({
  id: 'listWallets',
  method: 'get',
  path: '/wallets',
  tag: 'wallets',
  summary: 'List wallets, newest first',
  description:
    'An end user sees only the wallets delegated to this user, and none if the query specifies another owner; every other ' +
    'caller sees all wallets of the organisation. A wallet must match all filters, and a wallet whose key is still being ' +
    'created is not listed. `assetSymbol` and `holdsTokens` find a wallet by the balance that the service reads after each ' +
    'final movement of the asset, usually within two minutes; they miss assets without a recorded movement, and wallets on ' +
    'networks whose blocks are not read.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: z.object({}),
  query: ListWalletsQuery,
  body: z.unknown(),
  response: WalletPage,
  handle: async ({ query: { limit, paginationToken, ...filter }, authority }, services) => {
    const found = await list(services, authority.caller, { ...filter, after: afterOf(paginationToken) }, limit + 1);
    const { rows, ...next } = pageOf(found.map(viewOf), limit);
    return { items: [...rows], ...next };
  },
});
