import { notConfirmed } from '../application/equal-payments';
import { evaluateWalletSign, type Judgement as Verdict } from '../application/evaluate-activity';
import { failTransfer } from '../application/transfer-ends';
import { signRequestOf } from '../application/views/wallet-requests';
import { AppError, invariant } from '../domain/errors';
import type { Judgement } from '../domain/judgements';
import type { TransferRef } from '../domain/transfer-steps';
import { equalPaymentOf } from '../domain/transfers';
import { clockOf } from '../entities/clock';
import type { Database, Tx } from '../entities/database';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import type { Prices } from '../vendors/prices/port';
import { type Causes, unprovenWords } from './causes';
import { judgeRecord } from './held-records';
import { recipientsOf } from './request-facts';
import { transferRecords } from './transfer-records';
import { usdMicroOf } from './worth';

/** Nobody has been asked for a signature in these. */
const UNSIGNED_STATES = ['Requested', 'AwaitingApproval', 'Approved'] as const;

type Dependencies = { readonly db: Database; readonly prices: Prices; readonly causes: Pick<Causes, 'ofTransfer'> };

/**
 * The same payment for a higher fee is inside what was approved as long as that fee is below the ceiling of the approval, which the building of
 * its bytes checks: the first bytes can go through at any moment, so a second judgement would protect nothing. It shares the verdict.
 */
async function alreadyJudged(tx: Tx, { replacesId, feeCeilingUnits }: TransferEntity): Promise<Verdict> {
  const first = replacesId === null ? undefined : await transferStore.find(tx, replacesId);
  invariant(first?.verdictId && BigInt(feeCeilingUnits) <= BigInt(first.feeCeilingUnits), 'what is sped up was judged');
  const policyEpoch = first.policyEpoch ?? 0;
  return { outcome: 'Cleared', verdictId: first.verdictId, policyEpoch, blockedReason: null, approval: null };
}

const isUnsigned = ({ state }: TransferEntity): boolean => UNSIGNED_STATES.some((one) => one === state);

/** Activities of the main queue that judge a transfer. */
export function createJudgementActivities({ db, prices, causes }: Dependencies) {
  const endUnproven = async (orgId: string, transferId: string, reason: string): Promise<Judgement> => {
    const state = await db.withOrg(orgId, (tx) => failTransfer(tx, transferId, UNSIGNED_STATES, unprovenWords(reason)));
    return state === 'Failed' || state === 'Rejected' ? { outcome: 'Ended', state } : { outcome: 'Cleared' };
  };

  return {
    /**
     * Judges a transfer under the policies in force and moves it on in the same transaction. Run again it answers what the
     * row says by then.
     */
    async evaluateTransfer({ orgId, transferId }: TransferRef): Promise<Judgement> {
      const reader = db.read(orgId);
      const row = await transferStore.find(reader, transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId });
      const unproven = isUnsigned(row) ? await causes.ofTransfer(reader, row) : undefined;
      if (unproven !== undefined) return endUnproven(orgId, transferId, unproven);
      const equal = equalPaymentOf(row);
      if (equal) {
        const failsAfterMs = Math.max(1, equal.until.getTime() - (await clockOf(reader)).getTime());
        return { outcome: 'Equal', equalToId: equal.equalToId, failsAfterMs };
      }
      const { network, contract, assetDecimals: decimals } = row;
      const amountUsdMicro = await usdMicroOf(prices, { network, contract, decimals, amountUnits: BigInt(row.amountUnits) });
      return db.withOrg(orgId, (tx) =>
        judgeRecord(tx, transferRecords, transferId, (locked) => evaluate(tx, locked, amountUsdMicro)),
      );
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

    /** Ends a transfer that waits in vain for somebody to say that it is meant besides an equal one; a word that came before wins. */
    async endEqual({ orgId, transferId }: TransferRef): Promise<void> {
      await db.withOrg(orgId, async (tx) => {
        const equal = equalPaymentOf(await transferStore.lock(tx, transferId));
        if (equal) await failTransfer(tx, transferId, ['Requested'], notConfirmed(equal.equalToId));
      });
    },

    /** The end of a transfer whose wake-up was lost; undefined while the chain has not decided. */
    async readSettled({ orgId, transferId }: TransferRef): Promise<'Confirmed' | 'Failed' | undefined> {
      const row = await transferStore.find(db.read(orgId), transferId);
      return row?.state === 'Confirmed' || row?.state === 'Failed' ? row.state : undefined;
    },
  };
}

async function evaluate(tx: Tx, row: TransferEntity, amountUsdMicro: string | null): Promise<Verdict> {
  if (row.replacementKind === 'SpeedUp') return alreadyJudged(tx, row);
  const { walletId, requesterUserId, network, contract } = row;
  const recipients = recipientsOf(row);
  return evaluateWalletSign(tx, {
    activityId: row.id,
    activityVersion: row.version,
    activity: { kind: 'Wallets:Sign', ...signRequestOf(row) },
    walletId,
    initiatorId: requesterUserId,
    recipients,
    movement:
      recipients.length === 0 || row.assetKind === 'Call'
        ? null
        : { network, contract, recipients, amountUnits: BigInt(row.amountUnits) },
    amountUsdMicro,
    network,
    envelope: {
      network,
      from: row.fromAddress,
      to: row.toAddress,
      asset: row.assetKind === 'Call' ? 'call' : (row.contract ?? 'native'),
      amountUnits: row.amountUnits,
      feeCeilingUnits: row.feeCeilingUnits,
      ...(row.tokenId === null ? {} : { tokenId: row.tokenId }),
      ...(Object.keys(row.options).length === 0 ? {} : { options: row.options }),
      ...(row.terms === null ? {} : { terms: row.terms }),
      ...(row.travelRuleDigest === null ? {} : { travelRuleDigest: row.travelRuleDigest }),
    },
    ...(row.approvalId === null ? {} : { priorApprovalId: row.approvalId }),
  });
}
