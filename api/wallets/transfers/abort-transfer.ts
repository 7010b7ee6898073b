import { z } from 'zod';
import { abortRequest } from '../../../application/aborts';
import { shownTransfer } from '../../../application/travel-rule-payloads';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { EmptyBody } from '../../replacement-schemas';
import { TransferParams, TransferRequest } from './schemas';

export const abortTransfer = operation({
  id: 'abortTransfer',
  method: 'put',
  path: '/wallets/:walletId/transfers/:transferId/abort',
  tag: 'wallets',
  summary: 'End a transfer of which nothing was signed',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Abort',
  userAction: true,
  params: TransferParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransferRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transferId),
  handle: async ({ params: { walletId, transferId }, authority, ahead }, services) => {
    const { id } = visibleRequest(authority.caller, 'Transfer', { walletId, requestId: transferId }, ahead);
    const row = await abortRequest(services, authority, id);
    const { orgId } = authority.caller;
    return shownTransfer({ ...services, orgId, reader: services.db.read(orgId) }, row);
  },
});
