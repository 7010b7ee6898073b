import type { SignatureState } from '../../domain/signatures';
import type { Tx } from '../../entities/database';
import { laneStore } from '../../entities/outgoing/lane.store';
import { signatureStore } from '../../entities/signatures/signature.store';
import type { Unsigned } from '../outgoing/end/fail';
import { giveBackUsage } from '../usage/usage';
import { emitSignature, tellSignatureResolved } from './events';

/**
 * Ends a request without a signature if its state is one of `from`. Gives back the request's claims and its share of the usage
 * windows. Returns the resulting state. The reason is shown to the API's caller. If `end` is a plain string, the request ends
 * as `Failed` with that string as its reason.
 */
export async function failSignature(
  tx: Tx,
  signatureId: string,
  from: readonly SignatureState[],
  end: Unsigned | string,
): Promise<SignatureState> {
  const { to, reason } = typeof end === 'string' ? ({ to: 'Failed', reason: end } as const) : end;
  const row = await signatureStore.lock(tx, signatureId);
  if (!from.includes(row.state)) return row.state;
  const ended = await signatureStore.move(tx, row, to, { reason });
  await emitSignature(tx, ended);
  // A request in a later state has already emitted this event.
  if (row.state === 'Approved') await tellSignatureResolved(tx, ended, 'Cleared');
  if (to === 'Rejected') await tellSignatureResolved(tx, ended, 'Blocked');
  await giveBackUsage(tx, signatureId);
  await laneStore.releaseSignature(tx, signatureId);
  return to;
}
