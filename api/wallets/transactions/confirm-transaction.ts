import { operation } from '../../http/operation';
import { transactionForm } from './form';

/** Beyond the contract: a transaction that may have been sent twice waits for this (S16). */
export const confirmTransaction = operation({
  id: 'confirmTransaction',
  method: 'post',
  path: '/wallets/:walletId/transactions/:transactionId/confirm',
  summary: 'Say that a transaction is meant besides an equal one',
  permission: 'Wallets:Transactions:Create',
  ...transactionForm.confirm,
});
