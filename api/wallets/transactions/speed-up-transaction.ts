import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const speedUpTransaction = operation({
  id: 'speedUpTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/speed-up',
  summary: 'Send a transaction once more for a higher fee',
  permission: 'Wallets:Transactions:Create',
  ...transactionForm.speedUp,
});
