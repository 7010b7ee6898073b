import { signatureOperations } from '../../signature-operations';
import { WalletParams } from '../../wallet-schemas';
import { WalletSignatureParams } from './schemas';

/** The shared reads of a wallet's signatures; each operation file adds its name. */
export const walletSignatures = signatureOperations({
  tag: 'wallets',
  params: WalletParams,
  signatureParams: WalletSignatureParams,
  of: ({ walletId }) => ({ walletId }),
});
