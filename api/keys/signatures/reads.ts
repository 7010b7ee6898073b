import { KeyParams } from '../../key-schemas';
import { signatureOperations } from '../../signature-operations';
import { KeySignatureParams } from './schemas';

/** The operations that read the signatures of a key. The file of each operation adds its name and path. */
export const keySignatures = signatureOperations({
  tag: 'keys',
  params: KeyParams,
  signatureParams: KeySignatureParams,
  of: ({ keyId }) => ({ keyId }),
});
