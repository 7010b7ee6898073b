import { z } from 'zod';
import { walletCollectibles } from '../../../application/movements/collectibles';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { WalletNfts } from './schemas';

export const getWalletNfts = operation({
  id: 'getWalletNfts',
  method: 'get',
  path: '/wallets/:walletId/nfts',
  tag: 'wallets',
  summary: 'List the unique tokens of a wallet',
  description:
    'Returns the ERC-721 tokens that the wallet has received since the service began to read blocks for the wallet, and that ' +
    'it owns now according to the network: at most the 100 tokens that arrived last. Any stranger can send a token to the ' +
    'wallet, so a listed token may be worthless. The call returns 400 `AssetNotSupported` if the family of the network has no ' +
    'unique tokens, 400 `NetworkNotEnabled` if the service does not read the blocks of the network, and 503 ' +
    '`NetworkUnavailable` if no node responds.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: z.object({}),
  body: z.unknown(),
  response: WalletNfts,
  handle: async ({ params: { walletId }, authority: { caller } }, services) => {
    const { network, collectibles } = await walletCollectibles(services, caller, walletId);
    return { walletId, network, nfts: [...collectibles] };
  },
});
