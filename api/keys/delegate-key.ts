import { z } from 'zod';
import { delegateKey as delegate } from '../../application/keys/delegate-key';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { KeyDelegationChangeRequest, KeyParams } from '../key-schemas';
import { DelegateKeyBody } from './schemas';

export const delegateKey = operation({
  id: 'delegateKey',
  method: 'post',
  path: '/keys/:keyId/delegate',
  tag: 'keys',
  summary: 'Delegate a key and all its wallets to an end user permanently',
  description:
    'From then on, only that end user can sign with the key and all its wallets, and no policy of the organisation judges ' +
    'these requests; a delegation cannot be taken back. If a policy on `Keys:Delegate` requires approval, the response is 202 ' +
    'with a change request, and the workflow `changeRequest` delegates the key once it is approved; a second request returns ' +
    '409 `ChangePending` in the meantime, and the call returns 403 `PolicyBlocked` if a policy blocks the delegation. It ' +
    'returns 409 `WrongState` if the key was not created with `delayDelegation`, is already delegated, deleted or exported, or ' +
    'has derived keys, 409 `TargetFrozen` if the key is frozen, and 400 `InvalidRequest` if the user is not an end user. Emits ' +
    '`key.delegated` and, for each wallet of the key, `wallet.delegated`; a policy that stops the delegation also emits ' +
    '`policy.triggered` and `policy.activity.resolved`, and an approval also emits `policy.approval.pending` and ' +
    '`policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Keys:Delegate',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: DelegateKeyBody,
  response: z.object({ keyId: z.string(), status: z.literal('Delegated') }),
  accepted: KeyDelegationChangeRequest,
  handle: async ({ params: { keyId }, body, authority }, services) => {
    const changed = await delegate(services, authority, keyId, body.delegateTo);
    return answerOfChange('value' in changed ? { value: { keyId, status: 'Delegated' as const } } : changed);
  },
});
