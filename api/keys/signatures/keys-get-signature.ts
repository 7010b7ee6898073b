import { z } from 'zod';
import { getSignature } from '../../../application/signatures';
import { signatureView } from '../../../application/views/signatures';
import { operation } from '../../http/operation';
import { SignatureRequest } from '../../signature-schemas';
import { SignatureParams } from './schemas';

export const keysGetSignature = operation({
  id: 'keysGetSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId',
  tag: 'keys',
  summary: 'Read one signature request',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Read',
  userAction: false,
  params: SignatureParams,
  query: z.object({}),
  body: z.unknown(),
  response: SignatureRequest,
  handle: async ({ params: { keyId, signatureId }, authority: { caller } }, services) =>
    signatureView(await getSignature(services.db.read(caller.orgId), caller, { keyId }, signatureId)),
});
