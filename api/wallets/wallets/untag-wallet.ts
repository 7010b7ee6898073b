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
  description:
    'Removes the given tags and ignores those that the wallet does not have. A tag in the filters of a policy in force decides ' +
    'whether that policy applies to the wallet, so the change is treated as a change of the policy: the call returns 403 ' +
    '`PolicyBlocked` if a policy on `Policies:Modify` would hold or block the change, and otherwise pending activities are ' +
    'judged again before they are released. Emits `wallet.tags.modified` if a tag was removed.',
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
