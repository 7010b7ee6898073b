import { operation } from '../../http/operation';
import { transactionForm } from './form';

export const getTransaction = operation({
  id: 'getTransaction',
  method: 'get',
  path: '/wallets/:walletId/transactions/:transactionId',
  summary: 'Read one transaction',
  permission: 'Wallets:Transactions:Read',
  ...transactionForm.get,
});
