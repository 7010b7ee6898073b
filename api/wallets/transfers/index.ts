import { explainTransfer } from './explain-transfer';
import { getTransfer } from './get-transfer';
import { listTransfers } from './list-transfers';
import { transferAsset } from './transfer-asset';

export const transferOperations = [transferAsset, listTransfers, getTransfer, explainTransfer];
