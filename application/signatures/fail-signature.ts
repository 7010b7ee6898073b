import type { SignatureState } from '../../domain/signatures';
import type { Tx } from '../../entities/database';
import { laneStore } from '../../entities/outgoing/lane.store';
import { signatureStore } from '../../entities/signatures/signature.store';
import type { Unsigned } from '../outgoing/end/fail';
import { giveBackUsage } from '../usage/usage';
import { emitSignature, tellSignatureResolved } from './events';

/**
 * Ends an unsigned request if its state is one of `from`. Gives back the claims and the share of usage windows. Returns the
 * resulting state. The API shows the reason to the caller. A plain string as `end` means `Failed`.
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
