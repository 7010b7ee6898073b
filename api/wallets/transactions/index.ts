import { abortTransaction } from './abort-transaction';
import { broadcastTransaction } from './broadcast-transaction';
import { cancelTransaction } from './cancel-transaction';
import { confirmTransaction } from './confirm-transaction';
import { explainTransaction } from './explain-transaction';
import { getTransaction } from './get-transaction';
import { listTransactions } from './list-transactions';
import { speedUpTransaction } from './speed-up-transaction';

export const transactionOperations = [
  broadcastTransaction,
  listTransactions,
  getTransaction,
  explainTransaction,
  abortTransaction,
  cancelTransaction,
  confirmTransaction,
  speedUpTransaction,
];
