import { z } from 'zod';
import { withWorth } from '../../../application/outgoing/quotes';
import { balancesOf } from '../../../application/wallets/assets';
import { usableWallet } from '../../../application/wallets/wallets';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { WalletAssets } from './schemas';

export const getWalletAssets = operation({
  id: 'getWalletAssets',
  method: 'get',
  path: '/wallets/:walletId/assets',
  tag: 'wallets',
  summary: 'Read the balances of a wallet',
  description:
    "Queries the network for the native balance and the token balances of the wallet: for the tokens in the network's record, " +
    'and for up to 100 tokens from the transfers or the newest movements of the wallet. With `netWorth=true` each asset ' +
    'carries its price in `quotes`, and `netWorth` is the total value; an unknown or outdated price is absent, and a total ' +
    'that needs an absent price is absent too. The balance of an `Erc7984` token is `Unknown`, because only the network can ' +
    'read it; it is listed if the wallet has ever received the token, and `netWorth` is then absent. The call returns 503 ' +
    '`NetworkUnavailable` if no node responds, 400 `NetworkNotEnabled` if the wallet only signs, and 409 `WrongState` if the ' +
    'wallet is archived; if the tier of the network does not include balances, it returns 404 `NotFound`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: z.object({ netWorth: z.literal('true').optional().describe('Adds prices and the total value') }),
  body: z.unknown(),
  response: WalletAssets,
  handle: async ({ params, query, authority: { caller } }, services) => {
    const reader = services.db.read(caller.orgId);
    const wallet = await usableWallet(reader, caller, params.walletId);
    const { id: walletId, network } = wallet;
    const assets = await balancesOf(services, wallet);
    return { walletId, network, ...(query.netWorth === undefined ? { assets } : await withWorth(reader, network, assets)) };
  },
});
