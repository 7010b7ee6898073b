import type { Tx } from '../entities/database';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';

const MS_PER_MINUTE = 60_000;

/** Why a request that nobody confirmed has failed. */
export const notConfirmed = (equalToId: string): string =>
  `It pays what ${equalToId} pays, and nobody confirmed in time that it is meant besides`;

/**
 * Which earlier request a new one is kept for, and until when; nothing where the organization wants none kept. What has an external id is never
 * kept, because its sender can tell a repetition from a second payment, but waits its turn here so that others see it.
 */
export async function equalPayment(
  tx: Tx,
  payment: Parameters<typeof transferStore.equalTo>[1],
  { minutes, hasExternalId }: { readonly minutes: number; readonly hasExternalId: boolean },
): Promise<Partial<Pick<TransferEntity, 'equalToId' | 'equalUntil'>>> {
  if (minutes === 0) return {};
  await transferStore.lockWallet(tx, payment.walletId);
  const equalToId = hasExternalId ? undefined : await transferStore.equalTo(tx, payment, minutes);
  if (equalToId === undefined) return {};
  return { equalToId, equalUntil: new Date((await tx.clock()).getTime() + minutes * MS_PER_MINUTE) };
}
