import { operation } from '../../http/operation';
import { keySignatures } from './reads';

/** Beyond the contract: whoever waits wants to know for what. */
export const keysExplainSignature = operation({
  id: 'keysExplainSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId/explain',
  summary: 'Read what a signature request waits for',
  ...keySignatures.explain,
});
