import { freezeInTheWay, reachOfWallet } from '../../../application/freezes/active-freezes';
import { fillMissing, speedUpStuck } from '../../../application/outgoing/lanes/lane-care';
import type { EvmReader } from '../../../chains/evm/types';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { Gateway } from '../../../chains/types';
import { invariant } from '../../../domain/errors';
import { type LaneLook, type LaneMemory, type LaneTroubleKind, OPERATION_OPEN } from '../../../domain/lanes';
import { lowestHole } from '../../../domain/nonces';
import type { Database, Reader } from '../../../entities/database';
import { blockerStore } from '../../../entities/outgoing/blocker.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { laneCareStore, type SentPayload } from '../../../entities/outgoing/lane-care.store';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import type { LaneLooking } from '../family-forms';
import { statusOfPrice } from './lane-price';

/** An obstacle that lasts for this many blocks needs action. */
const TROUBLE_BLOCKS = 3;

/** `trouble` is null for a normal wait. */
type Found = {
  readonly key: string;
  readonly nonce: number;
  readonly trouble: LaneTroubleKind | null;
  readonly transferId?: string;
};
type Lane = LaneLooking['lane'];

type Access = Pick<LaneLooking, 'db' | 'readers' | 'gateways'>;

/** `heldSince` returns the number of blocks since the same cause began to block the lane (the queue of one sender). */
type Look = {
  readonly reader: Reader;
  readonly lane: Lane;
  readonly chain: EvmReader;
  readonly heldSince: (key: string) => number;
};

/**
 * If several payloads compete for a nonce, `sent` contains only the last payload, because a node that has the last payload
 * refuses the earlier ones.
 */
async function sendAgain(gateway: Gateway, sent: readonly SentPayload[]): Promise<void> {
  for (const { rawHex, txHash } of sent) if (!(await gateway.isKnown(txHash))) await gateway.broadcast(rawHex, txHash);
}

/**
 * A transaction can use up its nonce on the chain without executing the operation that it contains. A transfer with an open
 * operation does not block any other transaction, so no other check reports the transfer.
 */
async function noteOpenOperations(db: Database, orgId: string, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await db.withOrg(orgId, async (tx) => {
    for (const id of transferIds)
      await blockerStore.note(tx, { table: 'transfers', id }, { kind: 'LaneBlocked', detail: OPERATION_OPEN });
  });
}

async function find(look: Look, count: number, sent: readonly SentPayload[], frozen: ReadonlySet<string>): Promise<Found> {
  const { reader, lane } = look;
  const { taken } = await laneStore.nonces(reader, lane, count);
  const hole = lowestHole(taken, count);
  const top = sent.at(-1)?.nonce ?? count;
  if (hole < top) return { key: `NonceMissing:${hole}`, nonce: hole, trouble: 'NonceMissing' };
  const head = sent.find(({ nonce }) => nonce === count);
  if (head === undefined) {
    const holder = await laneCareStore.holder(reader, lane, count);
    // A transaction that uses several nonces claims only the first of these nonces, so this nonce may lack a claim of its own.
    if (holder === undefined) return { key: `Used:${count}`, nonce: count, trouble: null };
    const trouble = holder.signatureId === null ? 'NotSent' : 'HeldElsewhere';
    return { key: `${trouble}:${count}`, nonce: count, trouble };
  }
  if (frozen.has(head.id)) return { key: `Frozen:${head.id}`, nonce: count, trouble: 'NotSent' };
  return priceOf(look, head);
}

async function priceOf({ reader, chain, heldSince }: Look, { id, transferId, nonce }: SentPayload): Promise<Found> {
  const key = `Head:${id}`;
  const [row, payload] = await Promise.all([
    outgoingStore.find(reader, transferId),
    reader.row(PayloadEntity, 'WHERE t.id = $1', [id]),
  ]);
  invariant(row && payload, `the transfer of ${id} exists`);
  const price = await statusOfPrice(chain, row, payload, heldSince(key));
  return { key, nonce, transferId, trouble: price === 'Enough' ? null : price };
}

/**
 * Finds a stuck transaction in the account's further lanes, one for each nonce key. Such a transaction does not block
 * transactions in the account's own lane, so its trouble is not recorded for that lane.
 */
async function findInLanes(look: Look, keyed: readonly SentPayload[]): Promise<Found | undefined> {
  for (const one of keyed) {
    const found = await priceOf(look, one);
    if (found.trouble !== null) return found;
  }
  return undefined;
}

const help = (db: Database, orgId: string, lane: Lane, { trouble, nonce, transferId }: Found): Promise<boolean> =>
  db.withOrg(orgId, async (tx) => {
    if (trouble === 'NonceMissing') return fillMissing(tx, lane, nonce);
    return trouble === 'Underpriced' && transferId !== undefined ? speedUpStuck(tx, lane, transferId) : false;
  });

/**
 * Returns the ids of the sponsored payloads whose wallets are frozen. The lane care holds back only these payloads, because
 * other transactions wait in the lane of the sponsor, who is not frozen.
 */
async function frozenOf(reader: Reader, sent: readonly SentPayload[]): Promise<ReadonlySet<string>> {
  const walletIds = [...new Set(sent.flatMap(({ sponsoredWalletId }) => sponsoredWalletId ?? []))];
  const frozen = new Set<string>();
  for (const wallet of walletIds.length === 0 ? [] : await reader.rows(WalletEntity, 'WHERE t.id = ANY($1)', [walletIds]))
    if (await freezeInTheWay(reader, reachOfWallet(wallet))) frozen.add(wallet.id);
  return new Set(sent.flatMap(({ id, sponsoredWalletId: walletId }) => (walletId && frozen.has(walletId) ? [id] : [])));
}

/**
 * Helps the first stuck transaction of the account's own lane, which blocks all later nonces. If that lane has no trouble,
 * helps a stuck transaction in a lane of a nonce key.
 */
export function createNonceCare({ db, readers, gateways }: Access): (looking: LaneLooking) => Promise<LaneLook> {
  return async ({ orgId, lane, memory, isFrozen }) => {
    const { network: name } = lane;
    const reader = db.read(orgId);
    const note = (found: Found | null) =>
      db.withOrg(orgId, (tx) =>
        laneCareStore.note(tx, lane, found?.trouble ? { kind: found.trouble, nonce: found.nonce } : null),
      );
    const chain = inFamily('evm', readers(name));
    const gateway = gateways(name);
    const count = await chain.transactionCount(lane.address, 'latest');
    const { height } = await gateway.head();
    const sent = await laneCareStore.sent(reader, lane, count);
    await noteOpenOperations(db, orgId, await laneCareStore.openOperations(reader, lane, count));
    const keyed = await laneCareStore.sentInLanes(reader, lane);
    if (sent.length + keyed.length === 0) {
      await note(null);
      return { kind: 'Healthy' };
    }
    const blocksOf = (key: string) => (memory?.found === key ? Math.max(0, height - memory.height) : 0);
    const watched = (key: string): LaneMemory => ({ found: key, height: height - blocksOf(key), count });
    // In a frozen lane nothing is sent and no stuck nonce is recorded: the freeze explains why nothing moves.
    if (await isFrozen()) return { kind: 'Watched', memory: watched('Frozen'), trouble: null, acted: false };

    const frozen = await frozenOf(reader, sent);
    await sendAgain(gateway, [...sent.filter(({ id }) => !frozen.has(id)), ...keyed]);
    const look: Look = { reader, lane, chain, heldSince: blocksOf };
    const ahead = await find(look, count, sent, frozen);
    const apart = ahead.trouble === null ? await findInLanes(look, keyed) : undefined;
    const found = apart ?? ahead;
    const moves = memory !== undefined && memory.count < count;
    const stands = found.trouble !== null && blocksOf(found.key) >= TROUBLE_BLOCKS;
    await note(stands && apart === undefined ? found : null);
    if (found.trouble === null && moves) return { kind: 'Healthy' };
    const acted = stands && inFamily('evm', networkOf(name)).speedsUpStuck !== false && (await help(db, orgId, lane, found));
    return { kind: 'Watched', memory: watched(found.key), trouble: stands ? found.trouble : null, acted };
  };
}
