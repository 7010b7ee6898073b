import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import { transferView } from './transfers';

/** A transaction as the interface shows it (`TransactionRequest`): a transfer's members without those of an asset. */
export function transactionView(row: TransferEntity) {
  const { metadata: _asset, feeSponsorId: _sponsor, ...view } = transferView(row);
  return view;
}
