import { broadcastTransaction } from './broadcast-transaction';
import { explainTransaction } from './explain-transaction';
import { getTransaction } from './get-transaction';
import { listTransactions } from './list-transactions';

export const transactionOperations = [broadcastTransaction, listTransactions, getTransaction, explainTransaction];
