import { z } from 'zod';
import { TransferBody } from '../../../application/bodies/transfers';
import { requestTransfer } from '../../../application/outgoing/request-transfer';
import { shownTransfer } from '../../../application/travel-rules/payloads';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { TransferRequest } from './schemas';

export const transferAsset = operation({
  id: 'transferAsset',
  method: 'post',
  path: '/wallets/:walletId/transfers',
  tag: 'wallets',
  summary: 'Transfer an asset from a wallet',
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
