import { z } from 'zod';
import { exportKey as give } from '../../application/key-shares';
import { operation } from '../http/operation';
import { KeyExport, KeyExportBody } from '../key-schemas';
import { KeyParams } from './schemas';

export const exportKey = operation({
  id: 'exportKey',
  method: 'post',
  path: '/keys/:keyId/export',
  tag: 'keys',
  summary: 'Give a key away, encrypted to the caller; it signs no more',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Export',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: KeyExportBody,
  response: KeyExport,
  handle: ({ params, body, authority }, services) => give(services, authority, params.keyId, body),
});
