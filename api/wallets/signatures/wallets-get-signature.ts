import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

export const walletsGetSignature = operation({
  id: 'walletsGetSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId',
  summary: 'Read one signature request of a wallet',
  description:
    'Returns the request in its current state. The call returns 404 `NotFound` if the request was made through another wallet, ' +
    'or through the path of the key.',
  ...walletSignatures.get,
});
