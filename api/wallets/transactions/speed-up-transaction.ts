import { z } from 'zod';
import { requestReplacement } from '../../../application/replacements';
import { transactionView } from '../../../application/views/transactions';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { EmptyBody } from '../../replacement-schemas';
import { TransactionParams, TransactionRequest } from './schemas';

export const speedUpTransaction = operation({
  id: 'speedUpTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/speed-up',
  tag: 'wallets',
  summary: 'Send a transaction once more for a higher fee',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  // What somebody may not see is not theirs to undo or to hurry.
  furtherPermissionNames: ['Wallets:Transactions:Read'],
  furtherPermissions: () => ['Wallets:Transactions:Read'],
  userAction: true,
  params: TransactionParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransactionRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transactionId),
  handle: async ({ params: { walletId, transactionId }, authority, ahead }, services) => {
    const replaced = visibleRequest(authority.caller, 'Transaction', { walletId, requestId: transactionId }, ahead);
    return transactionView(await requestReplacement(services, authority, replaced, 'SpeedUp'));
  },
});
