import { operation } from '../../http/operation';
import { keySignatures } from './reads';

export const keysGetSignature = operation({
  id: 'keysGetSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId',
  summary: 'Read one signature request',
  ...keySignatures.get,
});
