import { z } from 'zod';
import { deleteKey as remove } from '../../application/keys/keys';
import { operation } from '../http/operation';
import { KeyParams } from '../key-schemas';
import { Key } from './schemas';

export const deleteKey = operation({
  id: 'deleteKey',
  method: 'delete',
  path: '/keys/:keyId',
  tag: 'keys',
  summary: 'Archive a key and all its wallets; it signs nothing from then on',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Keys:Delete',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: z.strictObject({}),
  response: Key,
  handle: ({ params, authority }, services) => remove(services, authority, params.keyId),
});
