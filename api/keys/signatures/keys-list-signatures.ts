import { operation } from '../../http/operation';
import { keySignatures } from './reads';

export const keysListSignatures = operation({
  id: 'keysListSignatures',
  method: 'get',
  path: '/keys/:keyId/signatures',
  summary: 'List the signature requests of a key, newest first',
  ...keySignatures.list,
});
