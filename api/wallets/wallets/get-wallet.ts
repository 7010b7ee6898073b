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
    'Returns a wallet with any status, even `Archived`. The call returns 404 `NotFound` if the wallet does not exist, is still ' +
    'being created or, for an end user, is not delegated to this user.',
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
