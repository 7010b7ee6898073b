import { KeyParams } from '../../key-schemas';
import { signatureOperations } from '../../signature-operations';
import { KeySignatureParams } from './schemas';

/** The shared reads of a key's signatures; each operation file adds its name. */
export const keySignatures = signatureOperations({
  tag: 'keys',
  params: KeyParams,
  signatureParams: KeySignatureParams,
  of: ({ keyId }) => ({ keyId }),
});
