import { z } from 'zod';
import { TransactionBody } from '../../../application/bodies/transactions';
import { requestTransaction } from '../../../application/outgoing/request-transaction';
import { transactionView } from '../../../application/outgoing/transaction-view';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { TransactionRequest } from './schemas';

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
