import { failTransfer } from '../application/transfer-ends';
import { codecOf } from '../chains/codecs';
import { decoderOf } from '../chains/decoders';
import { networkOf } from '../chains/networks';
import type { createReaders } from '../chains/readers';
import type { FeeTerms, TransferIntent } from '../chains/types';
import { AppError } from '../domain/errors';
import type { Preparation, TransferRef } from '../domain/transfer-steps';
import type { TransferAsset, TransferState } from '../domain/transfers';
import type { Database, Tx } from '../entities/database';
import { OrganizationEntity } from '../entities/organizations/organization.entity';
import { laneStore } from '../entities/transfers/lane.store';
import { PayloadEntity } from '../entities/transfers/payload.entity';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { newId } from '../platform/ids';
import { assertInsideEnvelope } from './envelope';

type Dependencies = { readonly db: Database; readonly readers: ReturnType<typeof createReaders> };

/** What the node said before the lane was locked. */
type Quote = { readonly fees: FeeTerms; readonly chainCount: number; readonly nativeUnits: bigint; readonly tokenUnits: bigint };

export const assetOfRow = (row: TransferEntity): TransferAsset =>
  row.contract === null ? { kind: 'Native' } : { kind: 'Erc20', contract: row.contract };

export const intentOfRow = (row: TransferEntity): TransferIntent => ({
  network: row.network,
  from: row.fromAddress,
  to: row.toAddress,
  amountUnits: BigInt(row.amountUnits),
  asset: assetOfRow(row),
});

/** Activities of a network's queue that turn an approved transfer into bytes. */
export function createPreparationActivities({ db, readers }: Dependencies) {
  const quote = async (row: TransferEntity): Promise<Quote> => {
    const reader = readers(row.network);
    // The count before the balance: then whatever the balance does not show yet has a nonce at or above the count.
    const chainCount = await reader.transactionCount(row.fromAddress, 'latest');
    const [fees, nativeUnits, tokenUnits] = await Promise.all([
      reader.feeTerms(intentOfRow(row), row.priority),
      reader.nativeBalance(row.fromAddress),
      row.contract === null ? 0n : reader.tokenBalance(row.contract, row.fromAddress),
    ]);
    return { fees, chainCount, nativeUnits, tokenUnits };
  };

  return {
    /**
     * Claims the lowest free nonce, builds, reads the bytes back, compares them with the approved envelope and commits
     * `Signing`, all in one transaction (S8). Run again it finds its own work and answers the same.
     */
    async prepareTransfer({ orgId, transferId }: TransferRef): Promise<Preparation> {
      const row = await transferStore.find(db.read(orgId), transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId });
      if (row.state !== 'Approved') return answerAt(row.state);
      try {
        const quoted = await quote(row);
        return await db.withOrg(orgId, (tx) => claimAndBuild(tx, transferId, quoted));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TransferWouldFail') throw error;
        return answerAt(await db.withOrg(orgId, (tx) => failTransfer(tx, transferId, ['Approved'], error.message)));
      }
    },
  };
}

/** For a transfer that stands elsewhere than where it is prepared: another attempt or another judgement was faster. */
function answerAt(state: TransferState): Preparation {
  if (state === 'Failed' || state === 'Rejected') return 'Failed';
  return state === 'Requested' || state === 'AwaitingApproval' ? 'PolicyChanged' : 'Ready';
}

async function claimAndBuild(tx: Tx, transferId: string, quoted: Quote): Promise<Preparation> {
  const row = await transferStore.lock(tx, transferId);
  if (row.state !== 'Approved') return answerAt(row.state);
  const network = networkOf(row.network);
  const key = { network: row.network, address: row.fromAddress };
  await laneStore.lock(tx, key);
  // Behind the lock, for which a busy lane may let us wait while the policies are tightened.
  const organization = await tx.row(OrganizationEntity, 'WHERE t.id = $1', [tx.orgId]);
  if (organization?.policyEpoch !== row.policyEpoch) return 'PolicyChanged';

  const lane = await laneStore.view(tx, key, row, quoted.chainCount);
  const nonce = lowestHole(lane.taken, quoted.chainCount);
  const unsigned = codecOf(row.network).build(intentOfRow(row), nonce, quoted.fees);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) return 'FeeAboveCeiling';

  const spend = spendOf(row, unsigned.maxFeeUnits);
  if (spend.native > quoted.nativeUnits || spend.token > quoted.tokenUnits) {
    throw new AppError('TransferWouldFail', 'Insufficient funds for the amount and its fee');
  }
  const inTurn = lane.ahead < network.inFlightMax - lane.open;
  const covered =
    spend.native + lane.openNativeUnits <= quoted.nativeUnits && spend.token + lane.openTokenUnits <= quoted.tokenUnits;
  if (!inTurn || !covered) {
    // Funds that open transfers may still spend are not ours yet; when those are final, the balance alone decides.
    if (row.waitingSince === null) await tx.update(TransferEntity, { id: row.id }, { waitingSince: await tx.clock() });
    return 'Waiting';
  }

  assertInsideEnvelope(decoderOf(row.network).decode(unsigned.bytesHex), row, nonce, network.chainId);
  await laneStore.claim(tx, key, row.id, nonce);
  await tx.insert(PayloadEntity, {
    orgId: tx.orgId,
    id: newId('payload'),
    transferId: row.id,
    network: row.network,
    fromAddress: row.fromAddress,
    nonce,
    unsignedHex: unsigned.bytesHex,
    digestHex: unsigned.digestHex,
    maxFeeUnits: unsigned.maxFeeUnits.toString(),
    state: 'Built',
  });
  await transferStore.move(tx, row, 'Signing', { waitingSince: null });
  return 'Ready';
}

/** A hole blocks every later nonce, so the lowest free one always goes first. */
export function lowestHole(taken: readonly number[], from: number): number {
  const used = new Set(taken);
  let nonce = from;
  while (used.has(nonce)) nonce += 1;
  return nonce;
}

function spendOf(row: TransferEntity, maxFeeUnits: bigint): { native: bigint; token: bigint } {
  const amount = BigInt(row.amountUnits);
  return row.contract === null ? { native: amount + maxFeeUnits, token: 0n } : { native: maxFeeUnits, token: amount };
}
