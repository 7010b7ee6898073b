import { operation } from '../../http/operation';
import { keySignatures } from './reads';

/** An addition to the published interface: callers need the operation to learn why a request waits. */
export const keysExplainSignature = operation({
  id: 'keysExplainSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId/explain',
  summary: 'Explain why a signature request waits',
  description:
    'Returns the stage of the request, the start of the stage and the decisions that would end the wait, as data and as ' +
    'English sentences. The operation only reads stored records; it returns 404 `NotFound` if the request belongs to another ' +
    'key.',
  ...keySignatures.explain,
});
