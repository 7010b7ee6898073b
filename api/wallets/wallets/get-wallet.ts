import { z } from 'zod';
import { viewOf } from '../../../application/wallets/view';
import { walletOf } from '../../../application/wallets/wallets';
import { operation } from '../../http/operation';
import { Wallet, WalletParams } from '../../wallet-schemas';

export const getWallet = operation({
  id: 'getWallet',
  method: 'get',
  path: '/wallets/:walletId',
  tag: 'wallets',
  summary: 'Read one wallet',
  description:
    'Returns a wallet of any status, archived ones included. A wallet that does not exist, is still being created ' +
    'or, for an end user, is not delegated to this user returns 404 `NotFound`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: z.object({}),
  body: z.unknown(),
  response: Wallet,
  handle: async ({ params, authority: { caller } }, services) =>
    viewOf(await walletOf(services.db.read(caller.orgId), caller, params.walletId)),
});
