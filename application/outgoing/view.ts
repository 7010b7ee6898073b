import type { SignRequest } from '../../domain/approvals';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { transactionView } from './transaction-view';
import { transferView } from './transfer-view';

/** The form in which events and approvals contain a row. */
export const signRequestOf = (row: OutgoingEntity): SignRequest =>
  row.form === 'Transfer' ? { transferRequest: transferView(row) } : { transactionRequest: transactionView(row) };
