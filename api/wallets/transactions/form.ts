import { transactionView } from '../../../application/outgoing/transaction-view';
import { outgoingOperations } from '../outgoing-operations';
import { TransactionParams, TransactionRequest } from './schemas';

export const transactionForm = outgoingOperations({
  form: 'Transaction',
  params: TransactionParams,
  addressOf: ({ walletId, transactionId }) => ({ walletId, requestId: transactionId }),
  response: TransactionRequest,
  view: async (_services, _orgId, row) => transactionView(row),
});
