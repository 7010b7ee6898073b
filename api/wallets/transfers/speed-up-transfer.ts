import { z } from 'zod';
import { requestReplacement } from '../../../application/replacements';
import { transactionView } from '../../../application/views/transactions';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { EmptyBody } from '../../replacement-schemas';
import { TransactionRequest } from '../transactions/schemas';
import { TransferParams } from './schemas';

export const speedUpTransfer = operation({
  id: 'speedUpTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/speed-up',
  tag: 'wallets',
  summary: 'Send a transfer once more for a higher fee',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transactions:Create',
  // What somebody may not see is not theirs to undo or to hurry.
  furtherPermissionNames: ['Wallets:Transfers:Read'],
  furtherPermissions: () => ['Wallets:Transfers:Read'],
  userAction: true,
  params: TransferParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransactionRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transferId),
  handle: async ({ params: { walletId, transferId }, authority, ahead }, services) => {
    const replaced = visibleRequest(authority.caller, 'Transfer', { walletId, requestId: transferId }, ahead);
    return transactionView(await requestReplacement(services, authority, replaced, 'SpeedUp'));
  },
});
