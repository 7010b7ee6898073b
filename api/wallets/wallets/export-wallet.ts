import { z } from 'zod';
import { KeyExportBody } from '../../../application/bodies/keys';
import { exportWallet as give } from '../../../application/keys/shares';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { KeyExport, KeyExportChangeRequest } from '../../key-schemas';
import { WalletParams } from '../../wallet-schemas';

export const exportWallet = operation({
  id: 'exportWallet',
  method: 'post',
  path: '/wallets/:walletId/export',
  tag: 'wallets',
  summary: 'Export the key of a wallet, as exportKey does',
  deprecated: true,
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Export',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: KeyExportBody,
  response: KeyExport,
  accepted: KeyExportChangeRequest,
  handle: async ({ params, body, authority }, services) => answerOfChange(await give(services, authority, params.walletId, body)),
});
