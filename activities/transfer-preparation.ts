import { wakeAsking } from '../application/lanes';
import { failTransfer } from '../application/transfer-ends';
import { tellTransferResolved } from '../application/transfer-events';
import { codecOf } from '../chains/codecs';
import { decoderOf } from '../chains/decoders';
import { networkOf } from '../chains/networks';
import type { createReaders } from '../chains/readers';
import type { Effect, FeeTerms, TransferIntent, UnsignedTx } from '../chains/types';
import { AppError } from '../domain/errors';
import { lowestHole } from '../domain/nonces';
import type { Preparation } from '../domain/transfer-steps';
import type { TransferState } from '../domain/transfers';
import type { Database, Tx } from '../entities/database';
import { keyStore } from '../entities/keys/key.store';
import { OrganizationEntity } from '../entities/organizations/organization.entity';
import { hindranceStore } from '../entities/transfers/hindrance.store';
import { type LaneView, laneStore } from '../entities/transfers/lane.store';
import { PayloadEntity } from '../entities/transfers/payload.entity';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { newId } from '../platform/ids';
import { assertInsideEnvelope, assertInsideTerms } from './envelope';
import { notingTransfer } from './hindrances';

type Dependencies = { readonly db: Database; readonly readers: ReturnType<typeof createReaders> };

/** What the node said before the lane was locked. */
type Quote = { readonly fees: FeeTerms; readonly chainCount: number; readonly nativeUnits: bigint; readonly tokenUnits: bigint };

/** What a row of either form moves, as the signer's order names it. */
export const assetOfRow = ({ assetKind, contract }: TransferEntity): Effect['asset'] =>
  contract === null ? { kind: assetKind === 'Call' ? 'Call' : 'Native' } : { kind: 'Erc20', contract };

const intentOfRow = (row: TransferEntity): TransferIntent => ({
  network: row.network,
  from: row.fromAddress,
  to: row.toAddress,
  amountUnits: BigInt(row.amountUnits),
  asset: row.contract === null ? { kind: 'Native' } : { kind: 'Erc20', contract: row.contract },
});

function build(row: TransferEntity, nonce: number, fees: FeeTerms): UnsignedTx {
  const codec = codecOf(row.network);
  return row.terms === null ? codec.build(intentOfRow(row), nonce, fees) : codec.buildCall(row.terms.call, nonce, fees);
}

function assertApproved({ bytesHex }: UnsignedTx, row: TransferEntity, nonce: number): void {
  const { chainId } = networkOf(row.network);
  const decoder = decoderOf(row.network);
  if (row.terms === null) assertInsideEnvelope(decoder.decode(bytesHex), row, nonce, chainId);
  else assertInsideTerms(decoder.decodeCall(bytesHex), row, nonce, chainId);
}

/** Activities of a network's queue that turn an approved transfer into bytes. */
export function createPreparationActivities({ db, readers }: Dependencies) {
  const quote = async (row: TransferEntity): Promise<Quote> => {
    const reader = readers(row.network);
    // The count before the balance: then whatever the balance does not show yet has a nonce at or above the count.
    const chainCount = await reader.transactionCount(row.fromAddress, 'latest');
    const [fees, nativeUnits, tokenUnits] = await Promise.all([
      row.terms === null ? reader.feeTerms(intentOfRow(row), row.priority) : reader.callFees(row.fromAddress, row.terms),
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
    prepareTransfer: notingTransfer(db, async ({ orgId, transferId }): Promise<Preparation> => {
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
    }),
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
  const hindered = { table: 'transfers', id: row.id } as const;
  await laneStore.lock(tx, key);
  // Behind the lock, for which a busy lane may let us wait while the policies are tightened.
  const organization = await tx.row(OrganizationEntity, 'WHERE t.id = $1', [tx.orgId]);
  if (organization?.policyEpoch !== row.policyEpoch) return 'PolicyChanged';

  await assertKeyMaySign(tx, row);
  const lane = await laneStore.view(tx, key, row, quoted.chainCount);
  const nonce = nonceOf(row, lane, quoted.chainCount);
  if (nonce === undefined) {
    // Without a place in the queue, where it would keep those back that it waits for.
    await hindranceStore.note(tx, hindered, { kind: 'LaneTurn', detail: 'EarlierNonces' });
    return 'Waiting';
  }
  const unsigned = build(row, nonce, quoted.fees);
  if (unsigned.maxFeeUnits > BigInt(row.feeCeilingUnits)) {
    // A price that the caller set never falls.
    if ((row.terms?.maxFeePerGas ?? null) === null) {
      await hindranceStore.note(tx, hindered, { kind: 'FeesAboveCeiling', detail: null });
      return 'FeeAboveCeiling';
    }
    throw new AppError('TransferWouldFail', 'The fee that was asked for is above the ceiling of the network');
  }

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
    await hindranceStore.note(tx, hindered, { kind: 'LaneTurn', detail: inTurn ? 'Funds' : 'Turn' });
    return 'Waiting';
  }

  assertApproved(unsigned, row, nonce);
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
  await tellTransferResolved(tx, await transferStore.move(tx, row, 'Signing', { waitingSince: null }), 'Cleared');
  if (lane.asked.length > 0) await wakeAsking(tx, key, nonce + 1 + (row.terms?.ownNonces.length ?? 0));
  return 'Ready';
}

/** What became of the key since the request; nobody signs with one that is gone, given out or somebody else's. */
async function assertKeyMaySign(tx: Tx, { walletId, requesterUserId }: TransferEntity): Promise<void> {
  const key = await keyStore.ofWallet(tx, walletId);
  const isTheirs = key?.delegatedTo === null || key?.delegatedTo === requesterUserId;
  if (key?.status === 'Active' && key.dateExported === null && isTheirs) return;
  throw new AppError('TransferWouldFail', 'The key of the wallet was deleted, exported or delegated before anything was signed');
}

/** The nonce to claim: the lowest free one, or the one asked for when it is free and next. Undefined while open requests are to fill the gap below it. */
function nonceOf({ askedNonce, terms }: TransferEntity, { taken, asked }: LaneView, chainCount: number): number | undefined {
  const next = lowestHole(taken, chainCount);
  if (askedNonce === null) return next;
  if ([askedNonce, ...(terms?.ownNonces ?? [])].some((nonce) => nonce < chainCount || taken.includes(nonce))) {
    throw new AppError('TransferWouldFail', `The nonce ${askedNonce} that was asked for is used by now`);
  }
  if (askedNonce === next) return next;
  const reachable = lowestHole([...taken, ...asked], chainCount);
  if (reachable >= askedNonce) return undefined;
  throw new AppError('TransferWouldFail', `The nonce ${askedNonce} that was asked for would leave a gap at ${reachable}`);
}

function spendOf(row: TransferEntity, maxFeeUnits: bigint): { native: bigint; token: bigint } {
  const amount = BigInt(row.amountUnits);
  return row.contract === null ? { native: amount + maxFeeUnits, token: 0n } : { native: maxFeeUnits, token: amount };
}
