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
  summary: 'Archive a key and all its wallets; the key can no longer sign',
  description:
    'Sets the status of the key and of all its wallets to `Archived`: the key can no longer sign, and no key can be derived ' +
    'from it and no wallet can be created with it. The sealed secret stays in the store, so that an operator can restore a key ' +
    'that was deleted by mistake. The deletion waits for no approval and emits `key.deleted`; a key that is already deleted ' +
    'returns 409 `WrongState`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Keys:Delete',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: z.strictObject({}),
  response: Key,
  handle: ({ params, authority }, services) => remove(services, authority, params.keyId),
});
