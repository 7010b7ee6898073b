import { z } from 'zod';
import { transactionView } from '../../../application/outgoing/transaction-view';
import { assertVisibleWallet } from '../../../application/wallets/wallets';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { walletStore } from '../../../entities/wallets/wallet.store';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { WalletParams } from '../../wallet-schemas';
import { TransactionPage } from './schemas';

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'get',
  path: '/wallets/:walletId/transactions',
  tag: 'wallets',
  summary: 'List the transactions of a wallet, newest first',
  description:
    'Returns the transactions with any status, including transactions that speed up or cancel another request of the wallet ' +
    'and transactions that the service made (`details.madeByService`). An end user sees only the transactions of their own ' +
    'wallets (404 `NotFound` for any other wallet).',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Read',
  userAction: false,
  params: WalletParams,
  query: PageQuery,
  body: z.unknown(),
  response: TransactionPage,
  ahead: async (reader, { params: { walletId }, query }) => {
    const after = afterOf(query.paginationToken);
    const [access, found] = await Promise.all([
      walletStore.access(reader, walletId),
      outgoingStore.page(reader, { walletId, form: 'Transaction', after }, query.limit + 1),
    ]);
    return { access, found };
  },
  handle: async ({ params, query, authority, ahead: { access, found } }) => {
    assertVisibleWallet(authority.caller, params.walletId, access);
    const { rows, ...next } = pageOf(found, query.limit);
    return { items: rows.map(transactionView), walletId: params.walletId, ...next };
  },
});
