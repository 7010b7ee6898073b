import type { NetworkName } from '../../domain/networks';
import { contractEventStore } from '../../entities/contract-events/contract-event.store';
import type { Tx } from '../../entities/database';
import { reportWatched } from '../movements/report-watched';
import { contractEventView } from './view';

/** Confirms at most `rowsMax` events up to this height. Returns true once no such event is left. */
export async function confirmContractEvents(tx: Tx, network: NetworkName, upToHeight: number, rowsMax: number): Promise<boolean> {
  const rows = await contractEventStore.confirm(tx, network, upToHeight, rowsMax);
  await reportWatched(tx, rows, 'address_watch.blockchain_event.misc.confirmed', contractEventView);
  return rows.length < rowsMax;
}

/** Withdraws at most `rowsMax` events of blocks that a reorganisation has replaced. Returns true once no such event is left. */
export async function withdrawContractEvents(
  tx: Tx,
  network: NetworkName,
  fromHeight: number,
  since: Date,
  rowsMax: number,
): Promise<boolean> {
  const rows = await contractEventStore.withdraw(tx, network, fromHeight, since, rowsMax);
  const reported = rows.filter(({ status }) => status === 'Confirmed');
  await reportWatched(tx, reported, 'address_watch.blockchain_event.misc.reversed', contractEventView);
  return rows.length < rowsMax;
}
