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
  summary: 'Delegate a key and all its wallets to an end user for good',
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
