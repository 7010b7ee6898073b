import { approvalStore } from '../../entities/approvals/approval.store';
import type { Database } from '../../entities/database';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { RECIPIENT } from './policies';

/** Inserts the row of the transfer that this approval holds. */
export async function insertTransferOf(
  db: Database,
  orgId: string,
  approvalId: string,
  set: Partial<OutgoingEntity> = {},
): Promise<OutgoingEntity> {
  return db.withOrg(orgId, async (tx) => {
    const approval = await approvalStore.find(tx, approvalId);
    if (!approval || !('transferRequest' in approval.activity)) throw new Error('no approval of a transfer');
    const { walletId } = approval.activity.transferRequest;
    const id = approval.activityId;
    await tx.insert(OutgoingEntity, {
      orgId,
      id,
      form: 'Transfer',
      walletId: String(walletId),
      network: 'EthereumSepolia',
      requesterUserId: approval.initiatorId,
      requestBody: { kind: 'Native', to: RECIPIENT, amount: '1' },
      requestDigest: id,
      assetKind: 'Native',
      fromAddress: RECIPIENT,
      toAddress: RECIPIENT,
      amountUnits: '1',
      priority: 'Standard',
      assetVerified: true,
      feeCeilingUnits: '1',
      state: 'AwaitingApproval',
      approvalId,
      ...set,
    });
    const row = await tx.row(OutgoingEntity, 'WHERE t.id = $1', [id]);
    if (!row) throw new Error('the transfer is missing');
    return row;
  });
}
