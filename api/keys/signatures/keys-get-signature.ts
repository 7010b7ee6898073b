import { operation } from '../../http/operation';
import { keySignatures } from './reads';

export const keysGetSignature = operation({
  id: 'keysGetSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId',
  summary: 'Read one signature request',
  description:
    'Returns the request in its current state, even if the request was made through a wallet of the key. The call returns 404 ' +
    '`NotFound` if the request belongs to another key.',
  ...keySignatures.get,
});
