import { z } from 'zod';
import { transferView } from '../../../application/views/transfers';
import { walletOf } from '../../../application/wallets';
import { transferStore } from '../../../entities/transfers/transfer.store';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { TransferPage, WalletParams } from './schemas';

export const listTransfers = operation({
  id: 'listTransfers',
  method: 'get',
  path: '/wallets/:walletId/transfers',
  tag: 'wallets',
  summary: 'List the transfers of a wallet, newest first',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Read',
  userAction: false,
  params: WalletParams,
  query: PageQuery,
  body: z.unknown(),
  response: TransferPage,
  handle: async ({ params, query, authority }, services) => {
    const reader = services.db.read(authority.caller.orgId);
    await walletOf(reader, authority.caller, params.walletId);
    const found = await transferStore.page(reader, params.walletId, afterOf(query.paginationToken), query.limit + 1);
    const { rows, ...next } = pageOf(found, query.limit);
    return { items: rows.map(transferView), walletId: params.walletId, ...next };
  },
});
