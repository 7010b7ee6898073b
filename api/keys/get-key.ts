import { z } from 'zod';
import { getKey as get } from '../../application/keys/keys';
import { operation } from '../http/operation';
import { KeyParams } from '../key-schemas';
import { KeyDetails } from './schemas';

export const getKey = operation({
  id: 'getKey',
  method: 'get',
  path: '/keys/:keyId',
  tag: 'keys',
  summary: 'Read one key with its wallets and its key store',
  description:
    'Returns a key with any status and all its wallets, including archived wallets. The call returns 404 `NotFound` if the key ' +
    'does not exist, is still being created or, for an end user, is not delegated to this user.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Read',
  userAction: false,
  params: KeyParams,
  query: z.object({}),
  body: z.unknown(),
  response: KeyDetails,
  handle: ({ params, authority: { caller } }, services) => get(services, caller, params.keyId),
});
