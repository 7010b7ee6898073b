import { z } from 'zod';
import { updateKey as update } from '../../application/keys/keys';
import { operation } from '../http/operation';
import { KeyParams } from '../key-schemas';
import { Key, UpdateKeyBody } from './schemas';

export const updateKey = operation({
  id: 'updateKey',
  method: 'put',
  path: '/keys/:keyId',
  tag: 'keys',
  summary: 'Change the name of a key; null removes the name',
  description:
    'An end user can rename only their own keys; the call returns 404 `NotFound` if the key is unknown. The change does not ' +
    'need approval and does not emit an event.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Update',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: UpdateKeyBody,
  response: Key,
  handle: ({ params, body, authority }, services) => update(services, authority, params.keyId, body.name),
});
