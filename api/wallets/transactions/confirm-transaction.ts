import { operation } from '../../http/operation';
import { transactionForm } from './form';

/** An addition to the published interface: a suspected duplicate waits for this confirmation (S16). */
export const confirmTransaction = operation({
  id: 'confirmTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/confirm',
  summary: 'Confirm that a transaction which looks like a duplicate is intended',
  permission: 'Wallets:Transactions:Create',
  ...transactionForm.confirm,
});
