import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { transferView } from './transfer-view';

/** A transaction as the interface shows it (`TransactionRequest`): a transfer's members without those of an asset. */
export function transactionView(row: OutgoingEntity) {
  const { metadata: _asset, feeSponsorId: _sponsor, ...view } = transferView(row);
  return view;
}
