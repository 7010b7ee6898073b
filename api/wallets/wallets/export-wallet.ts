import { z } from 'zod';
import { exportWallet as give } from '../../../application/key-shares';
import { operation } from '../../http/operation';
import { KeyExport, KeyExportBody } from '../../key-schemas';
import { WalletParams } from './schemas';

export const exportWallet = operation({
  id: 'exportWallet',
  method: 'post',
  path: '/wallets/:walletId/export',
  tag: 'wallets',
  summary: "Give the wallet's key away, as exportKey does",
  deprecated: true,
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Export',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: KeyExportBody,
  response: KeyExport,
  handle: ({ params, body, authority }, services) => give(services, authority, params.walletId, body),
});
