import { operation } from '../../http/operation';
import { transferForm } from './form';

export const speedUpTransfer = operation({
  id: 'speedUpTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/speed-up',
  summary: 'Speed up a transfer by sending it again with a higher fee',
  permission: 'Wallets:Transactions:Create',
  ...transferForm.speedUp,
});
