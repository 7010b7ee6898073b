import { z } from 'zod';
import { transactionView } from '../../../application/views/transactions';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { TransactionParams, TransactionRequest } from './schemas';

export const getTransaction = operation({
  id: 'getTransaction',
  method: 'get',
  path: '/wallets/:walletId/transactions/:transactionId',
  tag: 'wallets',
  summary: 'Read one transaction',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Read',
  userAction: false,
  params: TransactionParams,
  query: z.object({}),
  body: z.unknown(),
  response: TransactionRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transactionId),
  handle: async ({ params: { walletId, transactionId }, authority, ahead }) =>
    transactionView(visibleRequest(authority.caller, 'Transaction', { walletId, requestId: transactionId }, ahead)),
});
