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
    'Returns the ERC-721 tokens that the wallet has received since the service began to read for it, and that it owns now ' +
    'according to the network: at most the 100 tokens that arrived last. Any stranger can send a token, so a token here ' +
    'may be worthless. A family without unique tokens returns 400 `AssetNotSupported`, a network whose blocks are not ' +
    'read returns 400 `NetworkNotEnabled`, and a network whose nodes do not respond returns 503 `NetworkUnavailable`.',
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
