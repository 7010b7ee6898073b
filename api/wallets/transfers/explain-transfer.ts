import { z } from 'zod';
import { explainTransfer as explain } from '../../../application/explain/records';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { Explanation } from '../../explanation-schemas';
import { operation } from '../../http/operation';
import { TransferParams } from './schemas';

/** Beyond the contract: whoever waits wants to know for what. */
export const explainTransfer = operation({
  id: 'explainTransfer',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId/explain',
  tag: 'wallets',
  summary: 'Read what a transfer waits for',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Read',
  userAction: false,
  params: TransferParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Explanation,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transferId),
  handle: ({ params: { walletId, transferId }, authority: { caller }, ahead }, { db }) =>
    explain(db.read(caller.orgId), visibleRequest(caller, 'Transfer', { walletId, requestId: transferId }, ahead)),
});
