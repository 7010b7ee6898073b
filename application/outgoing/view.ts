import type { SignRequest } from '../../domain/approvals';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { transactionView } from './transaction-view';
import { transferView } from './transfer-view';

/** A row as events and approvals contain it: a transfer as `transferRequest`, a raw transaction as `transactionRequest`. */
export const signRequestOf = (row: OutgoingEntity): SignRequest =>
  row.form === 'Transfer' ? { transferRequest: transferView(row) } : { transactionRequest: transactionView(row) };
