import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { transferView } from './transfer-view';

/** The interface calls this type `TransactionRequest`. */
export function transactionView(row: OutgoingEntity) {
  const { metadata: _asset, feeSponsorId: _sponsor, ...view } = transferView(row);
  return view;
}
