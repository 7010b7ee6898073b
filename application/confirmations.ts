import { AppError } from '../domain/errors';
import { equalPaymentOf, isAnswerable, STATUS_OF } from '../domain/transfers';
import { outboxStore } from '../entities/outbox/outbox.store';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { newId } from '../platform/ids';
import { TRANSFER_SIGNALS } from '../workflows/transfer.messages';
import { type Authority, act } from './authority';
import type { Services } from './services';
import { signingWallet } from './signing-wallets';
import { TRANSFER_ANSWER_LIMIT_MS } from './wallet-requests';

/**
 * Says that a request which pays what another one pays is meant besides it (S16), after which it is judged like any other; answers when it is
 * held, on its way or ended. Said again it answers what became of it. Throws `WrongState` for a request that waits for nothing of the sort.
 */
export async function confirmEqual(
  services: Services,
  authority: Authority,
  { id, walletId }: TransferEntity,
): Promise<TransferEntity> {
  const { caller } = authority;
  await signingWallet(services.db.read(caller.orgId), caller, walletId);
  await act(services.db, authority, async (tx) => {
    const row = await transferStore.lock(tx, id);
    if (row.equalConfirmed !== null) return;
    if (equalPaymentOf(row) === undefined) {
      const message = 'Only a request that waits because another one pays the same can be confirmed';
      throw new AppError('WrongState', message, { status: STATUS_OF[row.state] });
    }
    await tx.update(TransferEntity, { id }, { equalConfirmed: await tx.clock(), equalConfirmedBy: caller.userId });
    await outboxStore.add(tx, {
      kind: 'signal',
      aggregateId: id,
      dedupeKey: newId('outbox'),
      routing: { signal: TRANSFER_SIGNALS.approvalChanged },
    });
  });
  const read = async () => {
    const row = await transferStore.find(services.db.read(caller.orgId), id);
    if (!row) throw new AppError('NotFound', 'transfer not found', { transferId: id });
    return row;
  };
  return services.changes.waitFor(id, read, isAnswerable, TRANSFER_ANSWER_LIMIT_MS);
}
