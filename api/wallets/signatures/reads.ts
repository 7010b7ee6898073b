import { signatureOperations } from '../../signature-operations';
import { WalletParams } from '../../wallet-schemas';
import { WalletSignatureParams } from './schemas';

/**
 * The operations that read the signatures of a wallet. The file of each operation adds the id and the path of the operation.
 */
export const walletSignatures = signatureOperations({
  tag: 'wallets',
  params: WalletParams,
  signatureParams: WalletSignatureParams,
  of: ({ walletId }) => ({ walletId }),
});
