import { MINUTE_MS } from '../../domain/durations';
import type { Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

/** The reason for the failure of a request that was not confirmed in time. */
export const notConfirmed = (equalToId: string): string => `Looks like a duplicate of ${equalToId} and was not confirmed in time`;

/**
 * Returns the earlier request that the new request seems to repeat, and the time at which the hold of the new request ends.
 * Returns an empty object if the new request is not held. A request with an external id is never held, because the external id
 * distinguishes a repetition from a second payment. Such a request still locks the wallet. So an equal request that arrives at
 * the same time waits for the lock and then finds the first request.
 */
export async function duplicateOf(
  tx: Tx,
  payment: Parameters<typeof outgoingStore.equalTo>[1],
  { minutes, hasExternalId }: { readonly minutes: number; readonly hasExternalId: boolean },
): Promise<Partial<Pick<OutgoingEntity, 'equalToId' | 'equalUntil'>>> {
  if (minutes === 0) return {};
  await outgoingStore.lockWallet(tx, payment.walletId);
  const equalToId = hasExternalId ? undefined : await outgoingStore.equalTo(tx, payment, minutes);
  if (equalToId === undefined) return {};
  return { equalToId, equalUntil: new Date((await tx.clock()).getTime() + minutes * MINUTE_MS) };
}
