import { abortTransfer } from './abort-transfer';
import { cancelTransfer } from './cancel-transfer';
import { confirmTransfer } from './confirm-transfer';
import { explainTransfer } from './explain-transfer';
import { getTransfer } from './get-transfer';
import { getTransferEvidence } from './get-transfer-evidence';
import { listTransfers } from './list-transfers';
import { speedUpTransfer } from './speed-up-transfer';
import { transferAsset } from './transfer-asset';

export const transferOperations = [
  transferAsset,
  listTransfers,
  getTransfer,
  explainTransfer,
  getTransferEvidence,
  abortTransfer,
  cancelTransfer,
  confirmTransfer,
  speedUpTransfer,
];
