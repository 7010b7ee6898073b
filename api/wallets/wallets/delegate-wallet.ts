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
  summary: 'Delegate the key of a wallet to an end user',
  description:
    'Replaced by `delegateKey`, which this operation calls with the key of the wallet: the key and all its wallets belong to ' +
    'the end user permanently. If a policy on `Keys:Delegate` requires approval, the response is 202 with a change request, ' +
    'and the workflow `changeRequest` delegates the key once it is approved. The call returns 409 `WrongState` if the key was ' +
    'not created with `delayDelegation`, is already delegated, deleted or exported, or has derived keys, and 409 ' +
    '`TargetFrozen` if the key is frozen. Emits `key.delegated` and, for each wallet of the key, `wallet.delegated`.',
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
