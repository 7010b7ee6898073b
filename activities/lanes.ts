import { fillMissing, speedUpStuck } from '../application/lane-care';
import { freezeInTheWay, reachOfWallet } from '../application/standing-freezes';
import { inFamily } from '../chains/families';
import type { createGateways } from '../chains/gateways';
import { findNetwork } from '../chains/networks';
import type { createReaders } from '../chains/readers';
import type { Network } from '../chains/types';
import { AppError, invariant } from '../domain/errors';
import { type LaneLook, type LaneMemory, type LaneRef, type LaneTroubleKind, OPERATION_OPEN } from '../domain/lanes';
import { lowestHole } from '../domain/nonces';
import type { Database, Reader } from '../entities/database';
import { hindranceStore } from '../entities/transfers/hindrance.store';
import { laneStore } from '../entities/transfers/lane.store';
import { laneCareStore, type SentPayload } from '../entities/transfers/lane-care.store';
import { PayloadEntity } from '../entities/transfers/payload.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { WalletEntity } from '../entities/wallets/wallet.entity';
import { standingOfPrice } from './evm/lane-price';
import { careForDurable } from './solana/lane-care';
import { careForCoins } from './utxo/lane-care';

type Dependencies = {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly gateways: ReturnType<typeof createGateways>;
};

/** What stands for so many blocks does not pass by itself. */
const TROUBLE_BLOCKS = 3;

/** `trouble` is null for what is merely waited for; `transferId` is of the one whose nonce comes first. */
type Found = {
  readonly key: string;
  readonly nonce: number;
  readonly trouble: LaneTroubleKind | null;
  readonly transferId?: string;
};
type Lane = { readonly network: Network['name']; readonly address: string };

/** Activities of a network's queue that keep the transactions of one sender moving. */
export function createLaneActivities({ db, readers, gateways }: Dependencies) {
  /** Of competing bytes the last alone: a node that has those takes no earlier ones. */
  const sendAgain = async (network: Network['name'], sent: readonly SentPayload[]): Promise<void> => {
    const gateway = gateways(network);
    for (const { rawHex, txHash } of sent) if (!(await gateway.isKnown(txHash))) await gateway.broadcast(rawHex, txHash);
  };

  /** Nobody else tells of them: their nonces are used up, so that they keep nothing back. */
  const noteOpenOperations = async (orgId: string, transferIds: readonly string[]): Promise<void> => {
    if (transferIds.length === 0) return;
    await db.withOrg(orgId, async (tx) => {
      for (const id of transferIds)
        await hindranceStore.note(tx, { table: 'transfers', id }, { kind: 'LaneBlocked', detail: OPERATION_OPEN });
    });
  };

  const find = async (
    reader: Reader,
    lane: Lane,
    count: number,
    sent: readonly SentPayload[],
    heldSince: (key: string) => number,
    frozen: ReadonlySet<string>,
  ): Promise<Found> => {
    const { taken } = await laneStore.nonces(reader, lane, count);
    const hole = lowestHole(taken, count);
    const top = sent.at(-1)?.nonce ?? count;
    if (hole < top) return { key: `NonceMissing:${hole}`, nonce: hole, trouble: 'NonceMissing' };
    const head = sent.find(({ nonce }) => nonce === count);
    if (head === undefined) {
      const holder = await laneCareStore.holder(reader, lane, count);
      // Of a transaction that uses up several nonces only the first is claimed.
      if (holder === undefined) return { key: `Used:${count}`, nonce: count, trouble: null };
      const trouble = holder.signatureId === null ? 'NotSent' : 'HeldElsewhere';
      return { key: `${trouble}:${count}`, nonce: count, trouble };
    }
    if (frozen.has(head.id)) return { key: `Frozen:${head.id}`, nonce: count, trouble: 'NotSent' };
    return priceOf(reader, lane, head, heldSince);
  };

  /** Whether a block takes what was sent at its price. */
  const priceOf = async (
    reader: Reader,
    { network }: Lane,
    { id, transferId, nonce }: SentPayload,
    heldSince: (key: string) => number,
  ): Promise<Found> => {
    const key = `Head:${id}`;
    const [row, payload] = await Promise.all([
      transferStore.find(reader, transferId),
      reader.row(PayloadEntity, 'WHERE t.id = $1', [id]),
    ]);
    invariant(row && payload, `the transfer of ${id} is there`);
    const price = await standingOfPrice(inFamily('evm', readers(network)), row, payload, heldSince(key));
    return { key, nonce, transferId, trouble: price === 'Enough' ? null : price };
  };

  /** The first that no block takes of those that stand in lanes of their own; it holds nobody else, so that the lane as a whole has no trouble by it. */
  const findInLanes = async (
    reader: Reader,
    lane: Lane,
    keyed: readonly SentPayload[],
    heldSince: (key: string) => number,
  ): Promise<Found | undefined> => {
    for (const one of keyed) {
      const found = await priceOf(reader, lane, one, heldSince);
      if (found.trouble !== null) return found;
    }
    return undefined;
  };

  const help = (orgId: string, lane: Lane, { trouble, nonce, transferId }: Found): Promise<boolean> =>
    db.withOrg(orgId, async (tx) => {
      if (trouble === 'NonceMissing') return fillMissing(tx, lane, nonce);
      return trouble === 'Underpriced' && transferId !== undefined ? speedUpStuck(tx, lane, transferId) : false;
    });

  const isFrozen = async (reader: Reader, { network, address }: Lane): Promise<boolean> => {
    const wallet = await reader.row(WalletEntity, 'WHERE t.network = $1 AND t.address = $2', [network, address]);
    return wallet !== undefined && (await freezeInTheWay(reader, reachOfWallet(wallet))) !== undefined;
  };

  /** Which of them carry what a frozen wallet does: its sponsor alone is not frozen, and others wait in the same lane. */
  const frozenOf = async (reader: Reader, sent: readonly SentPayload[]): Promise<ReadonlySet<string>> => {
    const walletIds = [...new Set(sent.flatMap(({ sponsoredWalletId }) => sponsoredWalletId ?? []))];
    const frozen = new Set<string>();
    for (const wallet of walletIds.length === 0 ? [] : await reader.rows(WalletEntity, 'WHERE t.id = ANY($1)', [walletIds]))
      if (await freezeInTheWay(reader, reachOfWallet(wallet))) frozen.add(wallet.id);
    return new Set(sent.flatMap(({ id, sponsoredWalletId: walletId }) => (walletId && frozen.has(walletId) ? [id] : [])));
  };

  const lookAtCoins = async (orgId: string, lane: Lane, memory: LaneMemory | undefined): Promise<LaneLook> =>
    careForCoins({
      ...{ db, orgId, lane, memory },
      reader: inFamily('utxo', readers(lane.network)),
      gateway: gateways(lane.network),
      isFrozen: await isFrozen(db.read(orgId), lane),
    });

  return {
    /**
     * One look at a lane: sends what the node has forgotten, in the order of nonces, and does or tells what else keeps the lane from moving. Run again it
     * sends the same bytes and finds what it has recorded.
     */
    async careForLane({ orgId, network: name, address, memory }: LaneRef & { readonly memory?: LaneMemory }): Promise<LaneLook> {
      const network = findNetwork(name);
      if (network?.family === 'solana')
        return careForDurable({
          ...{ db, orgId, network, address, isFrozen: await isFrozen(db.read(orgId), { network: network.name, address }) },
          reader: inFamily('solana', readers(network.name)),
          gateway: gateways(network.name),
        });
      if (network?.family === 'utxo') return lookAtCoins(orgId, { network: network.name, address }, memory);
      if (network?.family !== 'evm') throw new AppError('NetworkNotEnabled', `${name} has no lanes`, { network: name });
      const lane = { network: network.name, address };
      const reader = db.read(orgId);
      const note = (found: Found | null) =>
        db.withOrg(orgId, (tx) =>
          laneCareStore.note(tx, lane, found?.trouble ? { kind: found.trouble, nonce: found.nonce } : null),
        );
      const count = await inFamily('evm', readers(network.name)).transactionCount(address, 'latest');
      const { height } = await gateways(network.name).head();
      const sent = await laneCareStore.sent(reader, lane, count);
      await noteOpenOperations(orgId, await laneCareStore.openOperations(reader, lane, count));
      const keyed = await laneCareStore.sentInLanes(reader, lane);
      if (sent.length + keyed.length === 0) {
        await note(null);
        return { kind: 'Healthy' };
      }
      const blocksOf = (key: string) => (memory?.found === key ? Math.max(0, height - memory.height) : 0);
      const watched = (key: string): LaneMemory => ({ found: key, height: height - blocksOf(key), count });
      // What is frozen is neither sent nor asked for, and whoever froze it knows why nothing moves.
      if (await isFrozen(reader, lane)) return { kind: 'Watched', memory: watched('Frozen'), trouble: null, acted: false };

      const frozen = await frozenOf(reader, sent);
      await sendAgain(network.name, [...sent.filter(({ id }) => !frozen.has(id)), ...keyed]);
      const ahead = await find(reader, lane, count, sent, blocksOf, frozen);
      const apart = ahead.trouble === null ? await findInLanes(reader, lane, keyed, blocksOf) : undefined;
      const found = apart ?? ahead;
      const moves = memory !== undefined && memory.count < count;
      const stands = found.trouble !== null && blocksOf(found.key) >= TROUBLE_BLOCKS;
      await note(stands && apart === undefined ? found : null);
      if (found.trouble === null && moves) return { kind: 'Healthy' };
      const acted = stands && network.speedsUpStuck !== false && (await help(orgId, lane, found));
      return { kind: 'Watched', memory: watched(found.key), trouble: stands ? found.trouble : null, acted };
    },
  };
}
