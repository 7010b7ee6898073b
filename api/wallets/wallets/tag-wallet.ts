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
  description:
    'Adds the tags that the wallet does not have yet; the call returns 400 `InvalidRequest` if the wallet would have more than ' +
    '10 tags. A tag in the filters of a policy in force decides whether that policy applies to the wallet, so the change is ' +
    'treated as a change of the policy: the call returns 403 `PolicyBlocked` if a policy on `Policies:Modify` would hold or ' +
    'block the change, and otherwise pending activities are judged again before they are released. Emits ' +
    '`wallet.tags.modified` if a tag was added.',
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
