import { operation } from '../../http/operation';
import { transactionForm } from './form';

/** An addition to the published interface: callers need the operation to learn why a request waits. */
export const explainTransaction = operation({
  id: 'explainTransaction',
  method: 'get',
  path: '/wallets/:walletId/transactions/:transactionId/explain',
  summary: 'Explain why a transaction waits',
  permission: 'Wallets:Transactions:Read',
  ...transactionForm.explain,
});
