import { broadcastTransaction } from './broadcast-transaction';
import { getTransaction } from './get-transaction';
import { listTransactions } from './list-transactions';

export const transactionOperations = [broadcastTransaction, listTransactions, getTransaction];
