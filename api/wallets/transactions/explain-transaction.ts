import { operation } from '../../http/operation';
import { transactionForm } from './form';

/** Beyond the contract: whoever waits wants to know for what. */
export const explainTransaction = operation({
  id: 'explainTransaction',
  method: 'get',
  path: '/wallets/:walletId/transactions/:transactionId/explain',
  summary: 'Read what a transaction waits for',
  permission: 'Wallets:Transactions:Read',
  ...transactionForm.explain,
});
