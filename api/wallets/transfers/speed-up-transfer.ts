import { operation } from '../../http/operation';
import { transferForm } from './form';

export const speedUpTransfer = operation({
  id: 'speedUpTransfer',
  method: 'post',
  path: '/wallets/:walletId/transfers/:transferId/speed-up',
  summary: 'Send a transfer once more for a higher fee',
  permission: 'Wallets:Transactions:Create',
  ...transferForm.speedUp,
});
