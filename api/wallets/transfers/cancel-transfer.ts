import { operation } from '../../http/operation';
import { transferForm } from './form';

export const cancelTransfer = operation({
  id: 'cancelTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/cancel',
  summary: 'Cancel a transfer by using up its nonce or coins',
  permission: 'Wallets:Transactions:Create',
  ...transferForm.cancel,
});
