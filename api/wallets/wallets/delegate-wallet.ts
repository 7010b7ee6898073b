import { z } from 'zod';
import { delegateWallet as delegate } from '../../../application/keys/delegate-key';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { KeyDelegationChangeRequest } from '../../key-schemas';
import { WalletParams } from '../../wallet-schemas';
import { DelegateWalletBody } from './schemas';

export const delegateWallet = operation({
  id: 'delegateWallet',
  method: 'post',
  path: '/wallets/:walletId/delegate',
  tag: 'wallets',
  summary: 'Delegate the key of a wallet to an end user, as delegateKey does',
  deprecated: true,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Keys:Delegate',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: DelegateWalletBody,
  response: z.object({ walletId: z.string(), status: z.literal('Delegated') }),
  accepted: KeyDelegationChangeRequest,
  handle: async ({ params: { walletId }, body, authority }, services) => {
    const changed = await delegate(services, authority, walletId, body.userId);
    return answerOfChange('value' in changed ? { value: { walletId, status: 'Delegated' as const } } : changed);
  },
});
