import { z } from 'zod';
import { updateKey as update } from '../../application/keys';
import { operation } from '../http/operation';
import { Key, KeyParams, UpdateKeyBody } from './schemas';

export const updateKey = operation({
  id: 'updateKey',
  method: 'put',
  path: '/keys/:keyId',
  tag: 'keys',
  summary: 'Name a key; null takes its name away',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Update',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: UpdateKeyBody,
  response: Key,
  handle: ({ params, body, authority }, services) => update(services, authority, params.keyId, body.name),
});
