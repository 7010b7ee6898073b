import { z } from 'zod';
import { SignatureBody } from '../../../application/bodies/signatures';
import { requestSignature } from '../../../application/signatures/request-signature';
import { signatureView } from '../../../application/signatures/view';
import { operation } from '../../http/operation';
import { KeyParams } from '../../key-schemas';
import { SignatureRequest } from '../../signature-request-schemas';

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
