import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const cancelTransaction = operation({
  id: 'cancelTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/cancel',
  summary: 'Use up what a transaction would have used, so that it can never go through',
  permission: 'Wallets:Transactions:Create',
  ...transactionForm.cancel,
});
