import { operation } from '../../http/operation';
import { transferForm } from './form';

export const cancelTransfer = operation({
  id: 'cancelTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/cancel',
  summary: 'Use up what a transfer would have used, so that it can never go through',
  permission: 'Wallets:Transactions:Create',
  ...transferForm.cancel,
});
