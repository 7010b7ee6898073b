import { operation } from '../../http/operation';
import { keySignatures } from './reads';

/** Beyond the contract: callers need to know the reason for a wait. */
export const keysExplainSignature = operation({
  id: 'keysExplainSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId/explain',
  summary: 'Explain why a signature request waits',
  ...keySignatures.explain,
});
