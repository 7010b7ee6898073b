import { z } from 'zod';
import { untagWallet as untag } from '../../../application/wallets/tags';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';
import { UntagWalletBody } from './schemas';

export const untagWallet = operation({
  id: 'untagWallet',
  method: 'delete',
  path: '/wallets/:walletId/tags',
  tag: 'wallets',
  summary: 'Remove tags from a wallet',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Wallets:Tags:Delete',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: UntagWalletBody,
  response: z.object({}),
  handle: async ({ params, body, authority }, services) => {
    await untag(services, authority, params.walletId, body.tags);
    return {};
  },
});
