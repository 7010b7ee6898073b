import { z } from 'zod';
import { requestTransfer } from '../../../application/transfers';
import { shownTransfer } from '../../../application/travel-rule-payloads';
import { operation } from '../../http/operation';
import { TransferBody, TransferRequest, WalletParams } from './schemas';

export const transferAsset = operation({
  id: 'transferAsset',
  method: 'post',
  path: '/wallets/:walletId/transfers',
  tag: 'wallets',
  summary: 'Transfer an asset out of a wallet',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Transfers:Create',
  furtherPermissions: (body) => ('feeSponsorId' in body && body.feeSponsorId !== undefined ? ['FeeSponsors:Use'] : []),
  furtherPermissionNames: ['FeeSponsors:Use'],
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: TransferBody,
  response: TransferRequest,
  handle: async ({ params, body, authority }, services) => {
    const row = await requestTransfer(services, authority, params.walletId, body);
    const { orgId } = authority.caller;
    return shownTransfer({ ...services, orgId, reader: services.db.read(orgId) }, row);
  },
});
