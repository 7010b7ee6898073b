import { operation } from '../../http/operation';
import { transactionForm } from './form';

/** Beyond the contract: callers need to know the reason for a wait. */
export const explainTransaction = operation({
  id: 'explainTransaction',
  method: 'get',
  path: '/wallets/:walletId/transactions/:transactionId/explain',
  summary: 'Explain why a transaction waits',
  permission: 'Wallets:Transactions:Read',
  ...transactionForm.explain,
});
