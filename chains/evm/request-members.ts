import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import { parseAddress } from './signatures';
import type { RequestedQuantity } from './types';

/** `field` is the path of the member. */
export type MemberFault = (field: string, message: string) => AppError;

/** The paths of members are below `at`. */
export const memberFaultAt =
  (at: string): MemberFault =>
  (field, message) => {
    const path = field === '' ? at : `${at}.${field}`;
    return fieldFault(path, message);
  };

/**
 * The text is decimal digits, or 0x and hexadecimal digits, where `0x` alone is zero. Throws for any other text, and for a
 * quantity above `max`.
 */
export function quantityIn(fault: MemberFault, field: string, value: RequestedQuantity, max: bigint): bigint {
  const text = String(value);
  if (!/^(?:\d{1,78}|0x[0-9a-f]{0,64})$/i.test(text)) throw fault(field, 'must be digits, or 0x and hexadecimal digits');
  const units = text.toLowerCase() === '0x' ? 0n : BigInt(text);
  if (units > max) throw fault(field, `must be at most ${max}`);
  return units;
}

export function addressIn(fault: MemberFault, field: string, text: string): string {
  try {
    return parseAddress(text);
  } catch (error) {
    throw fault(field, error instanceof Error ? error.message : 'is not an address');
  }
}
