import { z } from 'zod';
import { abortRequest } from '../../../application/aborts';
import { transactionView } from '../../../application/views/transactions';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { EmptyBody } from '../../replacement-schemas';
import { TransactionParams, TransactionRequest } from './schemas';

export const abortTransaction = operation({
  id: 'abortTransaction',
  method: 'put',
  path: '/wallets/:walletId/transactions/:transactionId/abort',
  tag: 'wallets',
  summary: 'End a transaction of which nothing was signed',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Abort',
  userAction: true,
  params: TransactionParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransactionRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transactionId),
  handle: async ({ params: { walletId, transactionId }, authority, ahead }, services) => {
    const { id } = visibleRequest(authority.caller, 'Transaction', { walletId, requestId: transactionId }, ahead);
    const row = await abortRequest(services, authority, id);
    return transactionView(row);
  },
});
