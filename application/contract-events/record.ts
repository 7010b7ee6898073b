import type { NetworkName } from '../../domain/networks';
import { contractEventStore, type NewContractEvent } from '../../entities/contract-events/contract-event.store';
import type { Tx } from '../../entities/database';
import { type BlockPlace, scanStore } from '../../entities/scans/scan.store';

/**
 * Writes the events of one organisation in these blocks. A repeated call writes nothing. Writes nothing and returns false if a
 * reorganisation has removed one of the blocks in the meantime.
 */
export async function recordContractEvents(
  tx: Tx,
  network: NetworkName,
  blocks: readonly BlockPlace[],
  events: readonly NewContractEvent[],
): Promise<boolean> {
  if (!(await scanStore.areRead(tx, network, blocks))) return false;
  await contractEventStore.put(tx, events);
  return true;
}
