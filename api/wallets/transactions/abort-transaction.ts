import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const abortTransaction = operation({
  id: 'abortTransaction',
  method: 'put',
  path: '/wallets/:walletId/transactions/:transactionId/abort',
  summary: 'End a transaction of which nothing was signed',
  permission: 'Wallets:Transactions:Abort',
  ...transactionForm.abort,
});
