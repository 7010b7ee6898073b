import { keysExplainSignature } from './keys-explain-signature';
import { keysGenerateSignature } from './keys-generate-signature';
import { keysGetSignature } from './keys-get-signature';
import { keysListSignatures } from './keys-list-signatures';

export const keySignatureOperations = [keysGenerateSignature, keysListSignatures, keysGetSignature, keysExplainSignature];
