import { networkOf } from '../../../chains/networks';
import type { NetworkName } from '../../../domain/networks';
import type { Tx } from '../../../entities/database';
import { outboxStore } from '../../../entities/outbox/outbox.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { newId } from '../../../platform/ids';
import { TRANSFER_SIGNALS } from '../../../workflows/transfer.messages';

/**
 * Wakes the waiting transfers of lanes that have free places, in case an earlier wake-up was lost. A lane is the queue of one
 * sender on one network. A transfer that is woken needlessly checks once and continues to wait.
 */
export async function wakeIdleLanes(tx: Tx, transferIds: readonly string[]): Promise<void> {
  for (const { network, address, open } of await laneStore.waitedFor(tx, transferIds)) {
    const places = networkOf(network).inFlightMax - open;
    if (places > 0) await wakeLane(tx, { network, address }, places);
  }
}

/**
 * Wakes the transfers that have waited longest in a lane; `places` is the number of free places. Locks the lane. Without the
 * lock, a transfer that begins to wait at the same moment could miss the free place and never be woken. Lock order: the calling
 * database transaction first locks every transfer that it needs, and then the lanes in the order of their addresses.
 */
export async function wakeLane(
  tx: Tx,
  lane: { readonly network: NetworkName; readonly address: string },
  places: number,
): Promise<void> {
  await laneStore.lock(tx, lane);
  await wake(tx, await laneStore.nextWaiting(tx, lane, places));
}

/** Wakes only transfers that wait for funds. At inclusion, the transfers that wait for a place were already woken. */
export async function wakeForFunds(tx: Tx, lane: Parameters<typeof laneStore.lock>[1], settled: number): Promise<void> {
  await laneStore.lock(tx, lane);
  await wake(tx, await laneStore.nextWaiting(tx, lane, settled, 'Funds'));
}

/** Wakes the transfer that waits for this nonce. The caller holds the lock of the lane. */
export async function wakeAsking(tx: Tx, lane: Parameters<typeof laneStore.asking>[1], nonce: number): Promise<void> {
  await wake(tx, await laneStore.asking(tx, lane, nonce));
}

async function wake(tx: Tx, transferIds: readonly string[]): Promise<void> {
  for (const transferId of transferIds) {
    await outboxStore.add(tx, {
      kind: 'signal',
      aggregateId: transferId,
      dedupeKey: newId('outbox'),
      routing: { signal: TRANSFER_SIGNALS.laneChanged },
    });
  }
}
