import { operation } from '../../http/operation';
import { transferForm } from './form';

export const abortTransfer = operation({
  id: 'abortTransfer',
  method: 'put',
  path: '/wallets/:walletId/transfers/:transferId/abort',
  summary: 'Abort a transfer before it is signed',
  permission: 'Wallets:Transfers:Abort',
  ...transferForm.abort,
});
