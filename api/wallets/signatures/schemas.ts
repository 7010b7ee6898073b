import { SignatureId } from '../../signature-request-schemas';
import { WalletParams } from '../../wallet-schemas';

export const WalletSignatureParams = WalletParams.extend({ signatureId: SignatureId });
