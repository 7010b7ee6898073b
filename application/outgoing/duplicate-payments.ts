import { MINUTE_MS } from '../../domain/durations';
import type { Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

/** The reason of a request that failed because it was not confirmed. */
export const notConfirmed = (equalToId: string): string => `Looks like a duplicate of ${equalToId} and was not confirmed in time`;

/**
 * The earlier request because of which the new one is held, and the end of the hold; empty if the new one is not held. A
 * request with an external id is never held, because its sender can tell a repetition from a second payment. It still locks the
 * wallet, so that a concurrent equal request waits and then finds it.
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
