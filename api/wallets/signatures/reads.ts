import { signatureOperations } from '../../signature-operations';
import { WalletParams } from '../../wallet-schemas';
import { WalletSignatureParams } from './schemas';

/** What the reads of the signatures of a wallet do; each file beside adds its name. */
export const walletSignatures = signatureOperations({
  tag: 'wallets',
  params: WalletParams,
  signatureParams: WalletSignatureParams,
  of: ({ walletId }) => ({ walletId }),
});
