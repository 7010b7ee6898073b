import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const cancelTransaction = operation({
  id: 'cancelTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/cancel',
  summary: 'Cancel a transaction by using up its nonce or coins',
  permission: 'Wallets:Transactions:Create',
  ...transactionForm.cancel,
});
