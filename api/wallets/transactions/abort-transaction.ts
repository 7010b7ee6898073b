import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const abortTransaction = operation({
  id: 'abortTransaction',
  method: 'put',
  path: '/wallets/:walletId/transactions/:transactionId/abort',
  summary: 'Abort a transaction before it is signed',
  permission: 'Wallets:Transactions:Abort',
  ...transactionForm.abort,
});
