import { z } from 'zod';
import { viewOf, walletOf } from '../../../application/wallets/wallets';
import { operation } from '../../http/operation';
import { Wallet, WalletParams } from '../../wallet-schemas';

export const getWallet = operation({
  id: 'getWallet',
  method: 'get',
  path: '/wallets/:walletId',
  tag: 'wallets',
  summary: 'Read one wallet',
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
