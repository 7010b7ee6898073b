import { z } from 'zod';
import { readTransfer, visibleTransfer } from '../../../application/transfers';
import { transferView } from '../../../application/views/transfers';
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
  ahead: (reader, { params }) => readTransfer(reader, params.walletId, params.transferId),
  handle: async ({ params, authority, ahead }) => transferView(visibleTransfer(authority.caller, params, ahead)),
});
