import type { SignRequest } from '../../domain/approvals';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { transactionView } from './transaction-view';
import { transferView } from './transfer-view';

/** A row of either form, under the member for its form, as events and approvals contain it. */
export const signRequestOf = (row: OutgoingEntity): SignRequest =>
  row.form === 'Transfer' ? { transferRequest: transferView(row) } : { transactionRequest: transactionView(row) };
