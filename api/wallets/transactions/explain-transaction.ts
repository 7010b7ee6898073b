import { z } from 'zod';
import { explainTransfer as explain } from '../../../application/explain/records';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { Explanation } from '../../explanation-schemas';
import { operation } from '../../http/operation';
import { TransactionParams } from './schemas';

/** Beyond the contract: whoever waits wants to know for what. */
export const explainTransaction = operation({
  id: 'explainTransaction',
  method: 'get',
  path: '/wallets/:walletId/transactions/:transactionId/explain',
  tag: 'wallets',
  summary: 'Read what a transaction waits for',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Read',
  userAction: false,
  params: TransactionParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Explanation,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transactionId),
  handle: ({ params: { walletId, transactionId }, authority: { caller }, ahead }, { db }) =>
    explain(db.read(caller.orgId), visibleRequest(caller, 'Transaction', { walletId, requestId: transactionId }, ahead)),
});
