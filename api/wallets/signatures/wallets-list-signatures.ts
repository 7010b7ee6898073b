import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

export const walletsListSignatures = operation({
  id: 'walletsListSignatures',
  method: 'get',
  path: '/wallets/:walletId/signatures',
  summary: 'List the signature requests of a wallet, newest first',
  description:
    'Lists only the requests made through this wallet; `keysListSignatures` lists all requests of its key. An end user sees ' +
    'only the requests of their own wallets (404 `NotFound` for any other wallet).',
  ...walletSignatures.list,
});
