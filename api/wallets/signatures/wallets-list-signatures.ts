import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

export const walletsListSignatures = operation({
  id: 'walletsListSignatures',
  method: 'get',
  path: '/wallets/:walletId/signatures',
  summary: 'List the signature requests of a wallet, newest first',
  ...walletSignatures.list,
});
