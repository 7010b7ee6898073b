import { z } from 'zod';
import { confirmEqual } from '../../../application/confirmations';
import { transactionView } from '../../../application/views/transactions';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { EmptyBody } from '../../replacement-schemas';
import { TransactionParams, TransactionRequest } from './schemas';

/** Beyond the contract: a transaction that may have been sent twice waits for this (S16). */
export const confirmTransaction = operation({
  id: 'confirmTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/confirm',
  tag: 'wallets',
  summary: 'Say that a transaction is meant besides an equal one',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  userAction: true,
  params: TransactionParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransactionRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transactionId),
  handle: async ({ params: { walletId, transactionId }, authority, ahead }, services) => {
    const asked = visibleRequest(authority.caller, 'Transaction', { walletId, requestId: transactionId }, ahead);
    const row = await confirmEqual(services, authority, asked);
    return transactionView(row);
  },
});
