import { KeyParams } from '../../key-schemas';
import { SignatureId } from '../../signature-request-schemas';

export const KeySignatureParams = KeyParams.extend({ signatureId: SignatureId });
