import { MINUTE_MS } from '../../domain/durations';
import type { Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

/** Why a request that nobody confirmed has failed. */
export const notConfirmed = (equalToId: string): string =>
  `It pays what ${equalToId} pays, and nobody confirmed in time that it is meant besides`;

/**
 * Which earlier request a new one is kept for, and until when; nothing where the organization wants none kept. What has an external id is never
 * kept, because its sender can tell a repetition from a second payment, but waits its turn here so that others see it.
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
