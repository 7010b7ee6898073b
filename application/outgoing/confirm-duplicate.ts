import { AppError } from '../../domain/errors';
import { equalPaymentOf, STATUS_OF } from '../../domain/transfers';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { newId } from '../../platform/ids';
import { TRANSFER_SIGNALS } from '../../workflows/transfer.messages';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { signingWallet } from '../wallets/signing-wallets';
import { waitForAnswer } from './start-and-wait';

/**
 * Confirms a request that is held as a possible duplicate of an earlier request (S16). A repeated confirmation returns the
 * current state. Throws `WrongState` for a request that is not held as a possible duplicate.
 */
export async function confirmEqual(
  services: Services,
  authority: Authority,
  { id, walletId }: OutgoingEntity,
): Promise<OutgoingEntity> {
  const { caller } = authority;
  await signingWallet(services.db.read(caller.orgId), caller, walletId);
  await act(services.db, authority, async (tx) => {
    const row = await outgoingStore.lock(tx, id);
    if (row.equalConfirmed !== null) return;
    if (equalPaymentOf(row) === undefined) {
      const message = 'Only a request that waits as a possible duplicate can be confirmed';
      throw new AppError('WrongState', message, { status: STATUS_OF[row.state] });
    }
    await tx.update(OutgoingEntity, { id }, { equalConfirmed: await tx.clock(), equalConfirmedBy: caller.userId });
    await outboxStore.add(tx, {
      kind: 'signal',
      aggregateId: id,
      dedupeKey: newId('outbox'),
      routing: { signal: TRANSFER_SIGNALS.approvalChanged },
    });
  });
  return waitForAnswer(services, caller.orgId, id);
}
