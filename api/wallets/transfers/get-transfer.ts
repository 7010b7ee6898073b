import { z } from 'zod';
import { shownTransfer } from '../../../application/travel-rule-payloads';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { TransferParams, TransferRequest } from './schemas';

export const getTransfer = operation({
  id: 'getTransfer',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId',
  tag: 'wallets',
  summary: 'Read one transfer',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Read',
  userAction: false,
  params: TransferParams,
  query: z.object({}),
  body: z.unknown(),
  response: TransferRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transferId),
  handle: async ({ params: { walletId, transferId }, authority: { caller }, ahead }, { db, travelRuleSecrets }) => {
    const row = visibleRequest(caller, 'Transfer', { walletId, requestId: transferId }, ahead);
    return shownTransfer({ travelRuleSecrets, orgId: caller.orgId, reader: db.read(caller.orgId) }, row);
  },
});
