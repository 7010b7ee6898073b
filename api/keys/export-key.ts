import { z } from 'zod';
import { KeyExportBody } from '../../application/bodies/keys';
import { exportKey as give } from '../../application/keys/shares';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { KeyExport, KeyExportChangeRequest, KeyParams } from '../key-schemas';

export const exportKey = operation({
  id: 'exportKey',
  method: 'post',
  path: '/keys/:keyId/export',
  tag: 'keys',
  summary: 'Export a key, encrypted to the caller; it signs nothing from then on',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Export',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: KeyExportBody,
  response: KeyExport,
  accepted: KeyExportChangeRequest,
  handle: async ({ params, body, authority }, services) => answerOfChange(await give(services, authority, params.keyId, body)),
});
