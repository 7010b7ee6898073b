import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { transferView } from './transfer-view';

/**
 * A transaction as the interface shows it (`TransactionRequest`): the members of a transfer, except the members about the asset
 * and the fee sponsor.
 */
export function transactionView(row: OutgoingEntity) {
  const { metadata: _asset, feeSponsorId: _sponsor, ...view } = transferView(row);
  return view;
}
