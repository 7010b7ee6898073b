import { z } from 'zod';
import { requestTransaction } from '../../../application/transactions';
import { transactionView } from '../../../application/views/transactions';
import { operation } from '../../http/operation';
import { TransactionBody, TransactionRequest, WalletParams } from './schemas';

export const broadcastTransaction = operation({
  id: 'broadcastTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions',
  tag: 'wallets',
  summary: 'Sign a transaction and send it to the network',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  furtherPermissions: (body) => ('feeSponsorId' in body ? ['FeeSponsors:Use'] : []),
  furtherPermissionNames: ['FeeSponsors:Use'],
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: TransactionBody,
  response: TransactionRequest,
  handle: async ({ params, body, authority }, services) =>
    transactionView(await requestTransaction(services, authority, params.walletId, body)),
});
