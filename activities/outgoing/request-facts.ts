import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { familyStepsOf } from './families';

/** Empty if the recipients are unknown. A raw transaction is judged by its bytes, never by the request's own description. */
export function recipientsOf(row: OutgoingEntity): readonly string[] {
  return row.terms === null ? [row.toAddress] : familyStepsOf(row.network).recipientsOf(row, row.terms);
}

/**
 * True if every recipient is the sender and the amount of the native asset is 0. In the Bitcoin family the amount may be
 * higher, because the whole amount returns to the sender. Also true for a transaction that only uses up its own durable nonce.
 */
export function paysNobody(row: OutgoingEntity, recipients: readonly string[]): boolean {
  const { fromAddress, assetKind, amountUnits, network } = row;
  const { advancesAlone, comesBackWhole } = familyStepsOf(network);
  if (advancesAlone?.(row) === true) return true;
  const isToItself = recipients.length > 0 && recipients.every((recipient) => recipient === fromAddress);
  return isToItself && assetKind === 'Native' && (amountUnits === '0' || comesBackWhole);
}
