import { KeyParams } from '../../key-schemas';
import { signatureOperations } from '../../signature-operations';
import { KeySignatureParams } from './schemas';

export const keySignatures = signatureOperations({
  tag: 'keys',
  params: KeyParams,
  signatureParams: KeySignatureParams,
  of: ({ keyId }) => ({ keyId }),
});
