import { z } from 'zod';
import { balancesOf } from '../../../application/assets';
import { usableWallet } from '../../../application/wallets';
import { operation } from '../../http/operation';
import { WalletAssets, WalletParams } from './schemas';

/** `netWorth` is accepted and answered without quotes: this process reads no prices, and a guess would be worse than none. */
export const getWalletAssets = operation({
  id: 'getWalletAssets',
  method: 'get',
  path: '/wallets/:walletId/assets',
  tag: 'wallets',
  summary: 'Read the balances of a wallet',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: z.object({ netWorth: z.literal('true').optional() }),
  body: z.unknown(),
  response: WalletAssets,
  handle: async ({ params, authority: { caller } }, services) => {
    const wallet = await usableWallet(services.db.read(caller.orgId), caller, params.walletId);
    return { walletId: wallet.id, network: wallet.network, assets: await balancesOf(services, wallet) };
  },
});
