import type { Proofs } from '../application/countable-votes';
import { failTransfer } from '../application/transfer-ends';
import { tellTransferResolved } from '../application/transfer-events';
import { type Approving, type Footing, footingOf } from '../application/what-was-approved';
import { networkOf } from '../chains/networks';
import type { createReaders } from '../chains/readers';
import { AppError, invariant } from '../domain/errors';
import type { Preparation, TransferRef } from '../domain/transfer-steps';
import type { TransferState } from '../domain/transfers';
import type { Database, Tx } from '../entities/database';
import { keyStore } from '../entities/keys/key.store';
import { signatureStore } from '../entities/signatures/signature.store';
import { hindranceStore } from '../entities/transfers/hindrance.store';
import { laneStore } from '../entities/transfers/lane.store';
import { PayloadEntity } from '../entities/transfers/payload.entity';
import { payloadStore } from '../entities/transfers/payload.store';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { newId } from '../platform/ids';
import { type EncryptionAccess, encryptingFirst } from './evm/encryption';
import { createEvmPreparation } from './evm/preparation';
import { createEvmReplacement } from './evm/replacement';
import type { FamilyPreparation, FamilyReplacement, PerFamily, Place, Placed } from './families';
import { notingTransfer } from './hindrances';
import { createLaneTurns } from './lane-turns';
import { createSolanaPreparation } from './solana/preparation';
import { createSolanaReplacement } from './solana/replacement';
import { groundsOf } from './transfer-grounds';
import { createUtxoPreparation } from './utxo/preparation';
import { createUtxoReplacement } from './utxo/replacement';

/**
 * A place in a lane is taken from the claim until a block has the transaction. With many at once most of that time would be spent
 * waiting for each other behind the claim, and the lane be full of what is not sent yet.
 */
const LANE_TURNS = { atOnceMax: 3, waitMaxMs: 5_000 };

type Dependencies = Approving & {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly encryptionAccess: EncryptionAccess;
};

/** What turns an approved transfer into bytes: the first step of the activity of `transfer-onward.ts`. */
export function createTransferPreparation({ db, readers, encryptionAccess, signedBodies, onAltered }: Dependencies) {
  const families: PerFamily<FamilyPreparation> = {
    evm: createEvmPreparation(db, readers, encryptingFirst(db, encryptionAccess)),
    solana: createSolanaPreparation(readers),
    utxo: createUtxoPreparation(db, readers),
  };
  const replacements: PerFamily<FamilyReplacement> = {
    evm: createEvmReplacement(readers),
    solana: createSolanaReplacement(readers),
    utxo: createUtxoReplacement(db, readers),
  };

  const inTurn = createLaneTurns(LANE_TURNS);

  const quote = async (row: TransferEntity): Promise<Place> => {
    const { family } = networkOf(row.network);
    const notBuilt = (what: string) => new AppError('NetworkNotEnabled', `No ${what} for networks of the family ${family}`);
    if (row.cancelsSignatureId !== null) {
      const replacement = replacements[family];
      const signature = await signatureStore.find(db.read(row.orgId), row.cancelsSignatureId);
      if (!replacement || !signature) throw notBuilt('transaction takes the place of one that was only signed');
      return replacement.quoteAgainst(row, signature);
    }
    if (row.claimsOf === null) {
      const preparation = families[family];
      if (!preparation) throw notBuilt('transaction is built');
      return preparation.quote(row);
    }
    const replacement = replacements[family];
    if (!replacement) throw notBuilt('transaction takes the place of another one');
    const rival = await payloadStore.of(db.read(row.orgId), row.replacesId ?? row.claimsOf);
    invariant(rival, 'a request is replaced once its bytes are built');
    return replacement.quote(row, rival);
  };

  const endAltered = async ({ orgId, transferId }: TransferRef, { altered }: Altered): Promise<Preparation> => {
    onAltered?.({ orgId, id: transferId }, altered);
    return answerAt(await db.withOrg(orgId, (tx) => failTransfer(tx, transferId, ['Approved'], altered)));
  };

  return {
    /**
     * Claims what the transaction uses up, builds, reads the bytes back, compares them with the approved envelope and commits
     * `Signing`, all in one transaction (S8). Run again it finds its own work and answers the same.
     */
    prepareTransfer: notingTransfer(db, async ({ orgId, transferId }): Promise<Preparation> => {
      const row = await transferStore.find(db.read(orgId), transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId });
      if (row.state !== 'Approved') return answerAt(row.state);
      try {
        return await inTurn(`${row.network}:${row.laneAddress}`, async () => {
          for (;;) {
            const place = await quote(row);
            const done = await db.withOrg(orgId, (tx) => claimAndBuild(tx, transferId, place, { signedBodies }));
            if (typeof done === 'object') return endAltered({ orgId, transferId }, done);
            if (done !== 'AskAgain') return done;
          }
        });
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

type Altered = Extract<Footing, object>;

async function claimAndBuild(
  tx: Tx,
  transferId: string,
  place: Place,
  proofs: Proofs,
): Promise<Preparation | 'AskAgain' | Altered> {
  const row = await transferStore.lock(tx, transferId);
  if (row.state !== 'Approved') return answerAt(row.state);
  // Before the lanes: under its lock no policy changes however long a busy lane lets us wait, and a change must not wait for a lane in our hands.
  const footing = await footingOf(tx, await groundsOf(tx, row), proofs);
  if (typeof footing === 'object') return footing;
  if (footing !== 'Sound') return 'PolicyChanged';
  // Of a sponsored one the wallet's own lane as well: its funds count there, and perhaps one of its nonces. In the order in which everybody locks them.
  for (const address of [...new Set([row.laneAddress, row.fromAddress])].sort())
    await laneStore.lock(tx, { network: row.network, address });
  await assertKeyMaySign(tx, row);
  const placed = await place(tx, row);
  if (placed.kind === 'AskAgain') return 'AskAgain';
  const hindered = { table: 'transfers', id: row.id } as const;
  if (placed.kind === 'FeeAboveCeiling') {
    await hindranceStore.note(tx, hindered, { kind: 'FeesAboveCeiling', detail: null });
    return 'FeeAboveCeiling';
  }
  if (placed.kind === 'Waits') {
    if (placed.queued && row.waitingSince === null)
      await tx.update(TransferEntity, { id: row.id }, { waitingSince: await tx.clock() });
    await hindranceStore.note(tx, hindered, { kind: 'LaneTurn', detail: placed.detail });
    return 'Waiting';
  }
  await commit(tx, row, placed);
  return 'Ready';
}

async function commit(tx: Tx, row: TransferEntity, built: Extract<Placed, { kind: 'Built' }>): Promise<void> {
  const { unsigned, nonce, claims, context, operationHash = null, after } = built;
  if (row.cancelsSignatureId !== null) await laneStore.takeOver(tx, row);
  for (const claim of claims) await laneStore.claim(tx, row, claim);
  await tx.insert(PayloadEntity, {
    orgId: tx.orgId,
    id: newId('payload'),
    transferId: row.id,
    network: row.network,
    fromAddress: row.laneAddress,
    nonce,
    context,
    operationHash,
    unsignedHex: unsigned.bytesHex,
    digestHex: unsigned.digestHex,
    maxFeeUnits: unsigned.maxFeeUnits.toString(),
    state: 'Built',
  });
  const feeCurrency = context?.['feeCurrency'];
  const options = typeof feeCurrency === 'string' ? { options: { ...row.options, feeCurrency } } : {};
  await tellTransferResolved(tx, await transferStore.move(tx, row, 'Signing', { waitingSince: null, ...options }), 'Cleared');
  await after?.(tx);
}

/** What became of the key since the request; nobody signs with one that is gone, given out or somebody else's. */
async function assertKeyMaySign(tx: Tx, { walletId, requesterUserId }: TransferEntity): Promise<void> {
  const key = await keyStore.ofWallet(tx, walletId);
  const isTheirs = key?.delegatedTo === null || key?.delegatedTo === requesterUserId;
  if (key?.status === 'Active' && key.dateExported === null && isTheirs) return;
  throw new AppError('TransferWouldFail', 'The key of the wallet was deleted, exported or delegated before anything was signed');
}
