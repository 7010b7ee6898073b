import { type Approving, isSameIntent } from '../../application/approvals/what-was-approved';
import { notConfirmed } from '../../application/outgoing/duplicate-payments';
import { failTransfer } from '../../application/outgoing/end/fail';
import { outgoingEnvelopeOf } from '../../application/outgoing/outgoing-envelope';
import { signRequestOf } from '../../application/outgoing/view';
import {
  evaluateWalletSign,
  type PolicyEvaluation as Verdict,
  type WalletSign,
} from '../../application/policies/evaluate-activity';
import { networkOf } from '../../chains/networks';
import { AppError, invariant } from '../../domain/errors';
import type { Judgement } from '../../domain/judgements';
import type { TransferRef } from '../../domain/transfer-steps';
import { equalPaymentOf } from '../../domain/transfers';
import { clockOf } from '../../entities/clock';
import type { Database, Reader, Tx } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import type { PolicyStand } from '../../entities/organizations/organization.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { verdictStore } from '../../entities/policies/verdict.store';
import type { Prices } from '../../vendors/prices/port';
import { type Causes, unprovenWords } from './causes';
import { repeatedBy } from './grounds';
import { judgeRecord } from './held-records';
import { transferRecords } from './records';
import { paysNobody, recipientsOf } from './request-facts';
import { usdMicroOf } from './usd-value';

/** No signature has been requested yet in these states. */
const UNSIGNED_STATES = ['Requested', 'AwaitingApproval', 'Approved'] as const;

type Dependencies = Approving & { readonly db: Database; readonly prices: Prices; readonly causes: Pick<Causes, 'ofTransfer'> };

/**
 * Returns the verdict `Cleared` of the first request, which the speed-up repeats. Returns undefined if the speed-up needs a
 * verdict of its own. That is the case if the policies have changed, if more than the fee differs, if the first request has a
 * different verdict, or if the speed-up has its own approval.
 */
async function sharedVerdict(
  tx: Tx,
  row: OutgoingEntity,
  first: OutgoingEntity,
  { policyEpoch }: PolicyStand,
): Promise<Verdict | undefined> {
  const { verdictId } = first;
  const isSame = isSameIntent(outgoingEnvelopeOf(row, first), outgoingEnvelopeOf(first));
  if (verdictId === null || first.policyEpoch !== policyEpoch || !isSame || row.approvalId !== null) return undefined;
  // A request that is judged again in the state `Signing` may get a different verdict and still be signed.
  if ((await verdictStore.find(tx, verdictId))?.outcome !== 'Cleared') return undefined;
  return { outcome: 'Cleared', verdictId, policyEpoch, blockedReason: null, approval: null };
}

const isUnsigned = ({ state }: OutgoingEntity): boolean => UNSIGNED_STATES.some((one) => one === state);

export function createJudgementActivities({ db, prices, causes, signedBodies, onAltered }: Dependencies) {
  const endUnproven = async (orgId: string, transferId: string, reason: string): Promise<Judgement> => {
    const state = await db.withOrg(orgId, (tx) => failTransfer(tx, transferId, UNSIGNED_STATES, unprovenWords(reason)));
    return state === 'Failed' || state === 'Rejected' ? { outcome: 'Ended', state } : { outcome: 'Cleared' };
  };

  return {
    /** A repeated run returns the outcome in the row. */
    async evaluateTransfer({ orgId, transferId }: TransferRef): Promise<Judgement> {
      const reader = db.read(orgId);
      const row = await outgoingStore.find(reader, transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId });
      const unproven = isUnsigned(row) ? await causes.ofTransfer(reader, row) : undefined;
      if (unproven !== undefined) return endUnproven(orgId, transferId, unproven);
      const equal = equalPaymentOf(row);
      if (equal) {
        const failsAfterMs = Math.max(1, equal.until.getTime() - (await clockOf(reader)).getTime());
        return { outcome: 'Equal', equalToId: equal.equalToId, failsAfterMs };
      }
      const worth = { amountUsdMicro: await worthOf(prices, row), ...(await sponsorOf(reader, prices, row)) };
      return db.withOrg(orgId, (tx) =>
        judgeRecord(tx, transferRecords, transferId, {
          evaluate: (locked, stand) => evaluate(tx, locked, stand, worth),
          signedBodies,
          onAltered,
        }),
      );
    },

    /** Ends the transfer only if nothing was signed. */
    async failTransfer({ orgId, transferId }: TransferRef): Promise<'Failed' | 'Rejected'> {
      return db.withOrg(orgId, async (tx) => {
        const reason = 'The service could not continue this transfer; nothing was signed';
        const state = await failTransfer(tx, transferId, UNSIGNED_STATES, reason);
        invariant(state === 'Failed' || state === 'Rejected', 'only the chain ends a signed transfer');
        return state;
      });
    },

    /** Ends a suspected duplicate unless a person has confirmed the transfer. */
    async endEqual({ orgId, transferId }: TransferRef): Promise<void> {
      await db.withOrg(orgId, async (tx) => {
        const equal = equalPaymentOf(await outgoingStore.lock(tx, transferId));
        if (equal) await failTransfer(tx, transferId, ['Requested'], notConfirmed(equal.equalToId));
      });
    },

    /** Used by a transfer whose wake-up may be lost. Undefined if the transfer is neither confirmed nor failed. */
    async readSettled({ orgId, transferId }: TransferRef): Promise<'Confirmed' | 'Failed' | undefined> {
      const row = await outgoingStore.find(db.read(orgId), transferId);
      return row?.state === 'Confirmed' || row?.state === 'Failed' ? row.state : undefined;
    },
  };
}

/**
 * Returns null for an unknown price, and for a call, because the bytes do not reveal its effect. A call that only uses up a
 * durable nonce has the value 0.
 */
async function worthOf(prices: Prices, row: OutgoingEntity): Promise<string | null> {
  const { network, contract, assetKind, assetDecimals: decimals } = row;
  if (assetKind === 'Call') return paysNobody(row, []) ? '0' : null;
  return usdMicroOf(prices, { network, contract, decimals, amountUnits: BigInt(row.amountUnits) });
}

type Worth = Pick<WalletSign, 'amountUsdMicro' | 'sponsor'>;

/** Returns the sponsor's wallet and the value of the highest fee that the sponsor may pay. */
async function sponsorOf(reader: Reader, prices: Prices, row: OutgoingEntity): Promise<Pick<Worth, 'sponsor'>> {
  const { feeSponsorId, network, feeCeilingUnits } = row;
  if (feeSponsorId === null) return {};
  const sponsor = await feeSponsorStore.find(reader, feeSponsorId);
  invariant(sponsor, 'the row of a fee sponsor is kept');
  const { decimals } = networkOf(network).nativeAsset;
  const ceiling = { network, contract: null, decimals, amountUnits: BigInt(feeCeilingUnits) };
  return { sponsor: { walletId: sponsor.walletId, amountUsdMicro: await usdMicroOf(prices, ceiling) } };
}

async function evaluate(tx: Tx, row: OutgoingEntity, stand: PolicyStand, worth: Worth): Promise<Verdict> {
  const first = await repeatedBy(tx, row);
  const shared = first && (await sharedVerdict(tx, row, first, stand));
  if (shared) return shared;
  const priorApprovalId = row.approvalId ?? first?.approvalId ?? null;
  const { walletId, requesterUserId, network, contract } = row;
  const recipients = recipientsOf(row);
  return evaluateWalletSign(
    tx,
    {
      activityId: row.id,
      activityVersion: row.version,
      activity: { kind: 'Wallets:Sign', ...signRequestOf(row) },
      walletId,
      initiatorId: requesterUserId,
      recipients,
      paysNobody: paysNobody(row, recipients),
      movement:
        recipients.length === 0 || row.assetKind === 'Call'
          ? null
          : { network, contract, recipients, amountUnits: BigInt(row.amountUnits) },
      ...worth,
      network,
      envelope: outgoingEnvelopeOf(row, first),
      isClaimed: row.state === 'Signing',
      ...(first ? { repeats: first.id } : {}),
      ...(priorApprovalId === null ? {} : { priorApprovalId }),
    },
    stand,
  );
}
