import { z } from 'zod';
import { ImportKeyBody } from '../../application/bodies/keys';
import { importKey as take } from '../../application/keys/shares';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { KeyImportChangeRequest } from '../key-schemas';
import { Key } from './schemas';

export const importKey = operation({
  id: 'importKey',
  method: 'post',
  path: '/keys/import',
  tag: 'keys',
  summary: 'Import a key, encrypted to the signer',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Import',
  userAction: true,
  secretBody: true,
  params: z.object({}),
  query: z.object({}),
  body: ImportKeyBody,
  response: Key,
  accepted: KeyImportChangeRequest,
  handle: async ({ body, authority }, services) => answerOfChange(await take(services, authority, body)),
});
