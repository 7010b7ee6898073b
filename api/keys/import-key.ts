import { z } from 'zod';
import { importKey as take } from '../../application/key-shares';
import { operation } from '../http/operation';
import { ImportKeyBody, Key } from './schemas';

export const importKey = operation({
  id: 'importKey',
  method: 'post',
  path: '/keys/import',
  tag: 'keys',
  summary: 'Take in a key from elsewhere, encrypted to the signer',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Import',
  userAction: true,
  secretBody: true,
  params: z.object({}),
  query: z.object({}),
  body: ImportKeyBody,
  response: Key,
  handle: ({ body, authority }, services) => take(services, authority, body),
});
