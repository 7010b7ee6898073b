import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

/** Beyond the contract: callers need to know the reason for a wait. */
export const walletsExplainSignature = operation({
  id: 'walletsExplainSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId/explain',
  summary: 'Explain why a signature request of a wallet waits',
  ...walletSignatures.explain,
});
