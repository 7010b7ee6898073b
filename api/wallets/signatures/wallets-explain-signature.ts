import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

/** Beyond the contract: whoever waits wants to know for what. */
export const walletsExplainSignature = operation({
  id: 'walletsExplainSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId/explain',
  summary: 'Read what a signature request by a wallet waits for',
  ...walletSignatures.explain,
});
