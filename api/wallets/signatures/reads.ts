import { signatureOperations } from '../../signature-operations';
import { WalletParams } from '../../wallet-schemas';
import { WalletSignatureParams } from './schemas';

export const walletSignatures = signatureOperations({
  tag: 'wallets',
  params: WalletParams,
  signatureParams: WalletSignatureParams,
  of: ({ walletId }) => ({ walletId }),
});
