import { z } from 'zod';
import { confirmEqual } from '../../../application/confirmations';
import { shownTransfer } from '../../../application/travel-rule-payloads';
import { readRequest, visibleRequest } from '../../../application/wallet-requests';
import { operation } from '../../http/operation';
import { EmptyBody } from '../../replacement-schemas';
import { TransferParams, TransferRequest } from './schemas';

/** Beyond the contract: a transfer that may have been sent twice waits for this (S16). */
export const confirmTransfer = operation({
  id: 'confirmTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/confirm',
  tag: 'wallets',
  summary: 'Say that a transfer is meant besides an equal one',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Create',
  userAction: true,
  params: TransferParams,
  query: z.object({}),
  body: EmptyBody,
  response: TransferRequest,
  ahead: (reader, { params }) => readRequest(reader, params.walletId, params.transferId),
  handle: async ({ params: { walletId, transferId }, authority, ahead }, services) => {
    const asked = visibleRequest(authority.caller, 'Transfer', { walletId, requestId: transferId }, ahead);
    const row = await confirmEqual(services, authority, asked);
    const { orgId } = authority.caller;
    return shownTransfer({ ...services, orgId, reader: services.db.read(orgId) }, row);
  },
});
