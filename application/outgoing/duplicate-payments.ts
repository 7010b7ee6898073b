import { MINUTE_MS } from '../../domain/durations';
import type { Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

export const notConfirmed = (equalToId: string): string => `Looks like a duplicate of ${equalToId} and was not confirmed in time`;

/**
 * The earlier request that the new request seems to repeat; empty if the new request is not held. An external id distinguishes a
 * retry from a second payment, so a request with an external id is never held. A request with an external id still locks the
 * wallet, so that a concurrent equal request finds the request with the external id.
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
