import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

export const walletsGetSignature = operation({
  id: 'walletsGetSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId',
  summary: 'Read one signature request',
  ...walletSignatures.get,
});
