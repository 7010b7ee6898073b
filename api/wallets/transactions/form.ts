import { transactionView } from '../../../application/outgoing/transaction-view';
import { outgoingOperations } from '../outgoing-operations';
import { TransactionParams, TransactionRequest } from './schemas';

/** The operations on one transaction. The file of each operation adds the id, path and permission of the operation. */
export const transactionForm = outgoingOperations({
  form: 'Transaction',
  params: TransactionParams,
  addressOf: ({ walletId, transactionId }) => ({ walletId, requestId: transactionId }),
  response: TransactionRequest,
  view: async (_services, _orgId, row) => transactionView(row),
});
