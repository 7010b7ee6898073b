import type { SignRequest } from '../../domain/approvals';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import { transactionView } from './transactions';
import { transferView } from './transfers';

/** A row of either form under the member that names it, as events and approvals carry it. */
export const signRequestOf = (row: TransferEntity): SignRequest =>
  row.form === 'Transfer' ? { transferRequest: transferView(row) } : { transactionRequest: transactionView(row) };
