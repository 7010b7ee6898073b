import { z } from 'zod';
import { tagWallet as tag } from '../../../application/wallets/tags';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { TagWalletBody } from './schemas';

export const tagWallet = operation({
  id: 'tagWallet',
  method: 'put',
  path: '/wallets/:walletId/tags',
  tag: 'wallets',
  summary: 'Add tags to a wallet',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Wallets:Tags:Add',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: TagWalletBody,
  response: z.object({}),
  handle: async ({ params, body, authority }, services) => {
    await tag(services, authority, params.walletId, body.tags);
    return {};
  },
});
