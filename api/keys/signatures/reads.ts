import { KeyParams } from '../../key-schemas';
import { signatureOperations } from '../../signature-operations';
import { KeySignatureParams } from './schemas';

/** The operations that read the signatures of a key. The file of each operation adds the id and the path of the operation. */
export const keySignatures = signatureOperations({
  tag: 'keys',
  params: KeyParams,
  signatureParams: KeySignatureParams,
  of: ({ keyId }) => ({ keyId }),
});
