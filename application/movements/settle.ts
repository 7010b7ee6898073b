import { isId } from '../../domain/ids';
import { isPaymentKind, type PaymentKind } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import type { Tx } from '../../entities/database';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { movementStore } from '../../entities/movements/movement.store';
import { balanceSweepStore } from '../../entities/scans/balance-sweep.store';
import { confirmContractEvents, withdrawContractEvents } from '../contract-events/settle';
import { recordIncoming } from '../incoming-transactions/incoming';
import { confirmSent, reopenSent } from '../signatures/sent-transactions';
import { noteMoved } from './holdings';
import { reportMovements } from './report';
import { reportWatched } from './report-watched';
import { MOVED_MINUTES } from './sweep';
import { chainEventView } from './view';

/** The maximum number of rows in one call, because a database transaction with more rows would hold its locks for too long. */
const ROWS_MAX = 200;

/**
 * Confirms the movements and other events up to this height, and the signature requests whose transactions caused the movements.
 * Adds the start of the judgement of each incoming payment to the outbox. Returns true once no movement or event is
 * left; the caller repeats the call until then.
 */
export async function confirmMovements(tx: Tx, network: NetworkName, upToHeight: number): Promise<boolean> {
  const rows = await movementStore.confirm(tx, network, upToHeight, ROWS_MAX);
  await reportMovements(tx, rows, 'wallet.blockchainevent.detected');
  await reportWatched(tx, rows, 'address_watch.blockchain_event.transfer.confirmed', chainEventView);
  await confirmSent(tx, network, rows);
  await noteMoved(tx, rows);
  await balanceSweepStore.hasten(
    tx,
    rows.map(({ subjectId }) => subjectId),
    MOVED_MINUTES,
  );
  for (const row of rows.filter(isPayment)) await recordIncoming(tx, incomingOf(row));
  const areEventsComplete = await confirmContractEvents(tx, network, upToHeight, ROWS_MAX);
  return rows.length < ROWS_MAX && areEventsComplete;
}

/**
 * Withdraws movements and other events of blocks that a reorganisation has replaced. Returns true once none is left; the caller
 * repeats the call until then.
 */
export async function withdrawMovements(tx: Tx, network: NetworkName, fromHeight: number, since: Date): Promise<boolean> {
  const rows = await movementStore.withdraw(tx, network, fromHeight, since, ROWS_MAX);
  await reportMovements(tx, rows, 'wallet.blockchain_event.transfer.reversed');
  // Events about a watch begin with the confirmation, so the reversal of a movement that was only included is not reported.
  const reported = rows.filter(({ status }) => status === 'Confirmed');
  await reportWatched(tx, reported, 'address_watch.blockchain_event.transfer.reversed', chainEventView);
  await reopenSent(tx, network, rows);
  await noteMoved(tx, reported);
  const areEventsComplete = await withdrawContractEvents(tx, network, fromHeight, since, ROWS_MAX);
  return rows.length < ROWS_MAX && areEventsComplete;
}

/**
 * Only payments with amounts are judged, because vendors screen nothing else. Movements of address watches and outgoing movements
 * are not judged.
 */
const isPayment = (row: MovementEntity): row is MovementEntity & { readonly kind: PaymentKind } =>
  isId('wallet', row.subjectId) &&
  row.direction === 'In' &&
  isPaymentKind(row.kind) &&
  row.toAddress !== null &&
  row.amountUnits !== null &&
  row.decimals !== null;

const incomingOf = (row: MovementEntity & { readonly kind: PaymentKind }) => ({
  kind: row.kind,
  walletId: row.subjectId,
  network: row.network,
  txHash: row.txHash,
  indexInTx: row.ordinal,
  logIndex: row.logIndex,
  blockNumber: Number(row.blockHeight),
  fromAddress: row.fromAddress,
  fromAddresses: row.fromAddresses,
  toAddress: row.toAddress ?? '',
  contract: row.contract,
  amountUnits: row.amountUnits ?? '0',
  decimals: row.decimals ?? 0,
  symbol: row.symbol,
  dateDetected: row.dateMined.toISOString(),
});
