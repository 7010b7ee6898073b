import { z } from 'zod';
import { requestSignature } from '../../../application/signatures';
import { signatureView } from '../../../application/views/signatures';
import { operation } from '../../http/operation';
import { SignatureBody, SignatureRequest } from '../../signature-schemas';
import { KeyParams } from './schemas';

export const keysGenerateSignature = operation({
  id: 'keysGenerateSignature',
  method: 'post',
  path: '/keys/:keyId/signatures',
  tag: 'keys',
  summary: 'Sign with a key',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Create',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: SignatureBody,
  response: SignatureRequest,
  handle: async ({ params, body, authority }, services) =>
    signatureView(await requestSignature(services, authority, { keyId: params.keyId }, body)),
});
