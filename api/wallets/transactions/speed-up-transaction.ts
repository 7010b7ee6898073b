import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const speedUpTransaction = operation({
  id: 'speedUpTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/speed-up',
  summary: 'Speed up a transaction by sending it again with a higher fee',
  permission: 'Wallets:Transactions:Create',
  ...transactionForm.speedUp,
});
