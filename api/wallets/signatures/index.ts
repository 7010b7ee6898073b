import { walletsCancelSignature } from './wallets-cancel-signature';
import { walletsExplainSignature } from './wallets-explain-signature';
import { walletsGenerateSignature } from './wallets-generate-signature';
import { walletsGetSignature } from './wallets-get-signature';
import { walletsListSignatures } from './wallets-list-signatures';

export const walletSignatureOperations = [
  walletsGenerateSignature,
  walletsListSignatures,
  walletsGetSignature,
  walletsExplainSignature,
  walletsCancelSignature,
];
