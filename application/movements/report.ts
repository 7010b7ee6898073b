import type { EventKind } from '../../domain/events';
import { isId } from '../../domain/ids';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { hasAddressOfKey, viewOf } from '../wallets/view';
import { movementView } from './view';

type MovementEvent = Extract<EventKind, `wallet.blockchain${string}`>;

/** Emits one event per row of a wallet, in the transaction that has changed the rows. */
export async function reportMovements(tx: Tx, changed: readonly MovementEntity[], kind: MovementEvent): Promise<void> {
  const rows = changed.filter(({ subjectId }) => isId('wallet', subjectId));
  const ids = [...new Set(rows.map(({ subjectId }) => subjectId))];
  const found = await Promise.all(ids.map((id) => walletStore.find(tx, id)));
  // If the row of a wallet was altered, the event does not show the wallet. An error here would hold up the other wallets of the
  // network.
  const shown = found.filter((record) => record !== undefined).filter(hasAddressOfKey);
  const wallets = new Map(shown.map((record) => [record.wallet.id, viewOf(record)]));
  const events = rows.map((row) => {
    const wallet = wallets.get(row.subjectId);
    const data = { blockchainEvent: movementView(row), ...(wallet === undefined ? {} : { wallet }) };
    return { kind, aggregateId: row.id, aggregateVersion: row.version, data };
  });
  await eventStore.emitAll(tx, events);
}
