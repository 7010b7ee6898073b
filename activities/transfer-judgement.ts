import { evaluateWalletSign, type HeldApproval } from '../application/evaluate-activity';
import { wakeLane } from '../application/lanes';
import { failTransfer } from '../application/transfer-ends';
import { emitTransfer } from '../application/transfer-events';
import { signRequestOf } from '../application/views/wallet-requests';
import { fiatMicro } from '../domain/amounts';
import { AppError, invariant } from '../domain/errors';
import type { Hold, Judgement, TransferRef } from '../domain/transfer-steps';
import type { Database, Tx } from '../entities/database';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import type { Prices } from '../vendors/prices/port';
import { carryDecision, pendingHold } from './holds';

/** Nobody has been asked for a signature in these. */
const UNSIGNED_STATES = ['Requested', 'AwaitingApproval', 'Approved'] as const;

type Dependencies = { readonly db: Database; readonly prices: Prices };

/** Activities of the main queue that judge a transfer. */
export function createJudgementActivities({ db, prices }: Dependencies) {
  const usdMicroOf = async (row: TransferEntity): Promise<string | null> => {
    const asset = { network: row.network, ...(row.contract === null ? {} : { contract: row.contract }) };
    const price = await prices.priceOf(asset);
    if (!price || row.assetDecimals === null) return null;
    // A price source that counts the token in other decimals would be wrong by powers of ten, so its price is unknown (S13).
    if (price.decimals !== undefined && price.decimals !== row.assetDecimals) return null;
    return fiatMicro(BigInt(row.amountUnits), row.assetDecimals, price.usdMicro).toString();
  };

  return {
    /**
     * Judges a transfer under the policies in force and moves it on in the same transaction. Run again it answers what the
     * row says by then.
     */
    async evaluateTransfer({ orgId, transferId }: TransferRef): Promise<Judgement> {
      const row = await transferStore.find(db.read(orgId), transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId });
      const amountUsdMicro = await usdMicroOf(row);
      return db.withOrg(orgId, (tx) => judge(tx, transferId, amountUsdMicro));
    },

    /** Ends a transfer that cannot go on, before anything was signed. */
    async failTransfer({ orgId, transferId }: TransferRef): Promise<'Failed' | 'Rejected'> {
      return db.withOrg(orgId, async (tx) => {
        const reason = 'The service could not go on with this transfer; nothing was signed';
        const state = await failTransfer(tx, transferId, UNSIGNED_STATES, reason);
        invariant(state === 'Failed' || state === 'Rejected', 'a transfer that was signed is ended by the chain alone');
        return state;
      });
    },

    /** The end of a transfer whose wake-up was lost; undefined while the chain has not decided. */
    async readSettled({ orgId, transferId }: TransferRef): Promise<'Confirmed' | 'Failed' | undefined> {
      const row = await transferStore.find(db.read(orgId), transferId);
      return row?.state === 'Confirmed' || row?.state === 'Failed' ? row.state : undefined;
    },
  };
}

async function judge(tx: Tx, transferId: string, amountUsdMicro: string | null): Promise<Judgement> {
  const row = await transferStore.lock(tx, transferId);
  if (row.state === 'Rejected' || row.state === 'Failed') return { outcome: 'Ended', state: row.state };
  if (row.state === 'AwaitingApproval') {
    const hold = await pendingHold(tx, row);
    if (hold) return { outcome: 'Held', ...hold };
    await carryDecision(tx, row);
    return judge(tx, transferId, amountUsdMicro);
  } else if (row.state !== 'Requested' && row.state !== 'Approved') {
    return { outcome: 'Cleared' };
  }

  const { walletId, requesterUserId, network } = row;
  const judged = await evaluateWalletSign(tx, {
    activityId: row.id,
    activityVersion: row.version,
    activity: { kind: 'Wallets:Sign', ...signRequestOf(row) },
    walletId,
    initiatorId: requesterUserId,
    recipients: [row.toAddress],
    amountUsdMicro,
    network,
    envelope: {
      network,
      from: row.fromAddress,
      to: row.toAddress,
      asset: row.contract ?? 'native',
      amountUnits: row.amountUnits,
      feeCeilingUnits: row.feeCeilingUnits,
    },
    ...(row.approvalId === null ? {} : { priorApprovalId: row.approvalId }),
  });
  const { verdictId, policyEpoch, approval } = judged;
  if (judged.outcome === 'Held' && approval) {
    // Held anew, so what an earlier approval had resolved is open again.
    const changes = { verdictId, policyEpoch, approvalId: approval.approvalId, waitingSince: null, datePolicyResolved: null };
    await transferStore.move(tx, row, 'AwaitingApproval', changes);
    await leaveLane(tx, row);
    return { outcome: 'Held', ...holdOf(approval) };
  }
  if (judged.outcome === 'Blocked') {
    const datePolicyResolved = await tx.clock();
    const reason = judged.blockedReason;
    await emitTransfer(
      tx,
      await transferStore.move(tx, row, 'Rejected', { verdictId, policyEpoch, reason, datePolicyResolved, waitingSince: null }),
    );
    await leaveLane(tx, row);
    return { outcome: 'Ended', state: 'Rejected' };
  }
  const datePolicyResolved = row.datePolicyResolved ?? (await tx.clock());
  await transferStore.approve(tx, row, { verdictId, policyEpoch, datePolicyResolved });
  return { outcome: 'Cleared' };
}

/** A transfer that was woken for a free place and does not take it leaves it to the next one. */
async function leaveLane(tx: Tx, { waitingSince, network, fromAddress: address }: TransferEntity): Promise<void> {
  if (waitingSince !== null) await wakeLane(tx, { network, address }, 1);
}

const holdOf = ({ approvalId, groups, rejectsItselfAfterMs }: HeldApproval): Hold => ({
  approvalId,
  groups,
  ...(rejectsItselfAfterMs === null ? {} : { rejectsItselfAfterMs }),
});
