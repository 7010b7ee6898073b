import { KeyParams } from '../../key-schemas';
import { signatureOperations } from '../../signature-operations';
import { KeySignatureParams } from './schemas';

/** What the reads of the signatures of a key do; each file beside adds its name. */
export const keySignatures = signatureOperations({
  tag: 'keys',
  params: KeyParams,
  signatureParams: KeySignatureParams,
  of: ({ keyId }) => ({ keyId }),
});
