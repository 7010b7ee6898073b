import { operation } from '../../http/operation';
import { keySignatures } from './reads';

export const keysListSignatures = operation({
  id: 'keysListSignatures',
  method: 'get',
  path: '/keys/:keyId/signatures',
  summary: 'List the signature requests of a key, newest first',
  description:
    'Lists all requests of the key, including those made through one of its wallets. An end user sees only the requests for ' +
    'their own keys (404 `NotFound` for any other key).',
  ...keySignatures.list,
});
