import { addr } from 'micro-eth-signer';
import { z } from 'zod';
import { prefixed } from '../../../../domain/hex';
import { assertAsked } from '../signed-body';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const WORD = /^0x[0-9a-fA-F]{64}$/;
const BYTES = /^(?:0x)?(?:[0-9a-fA-F]{2})*$/;
/** `0x` alone is zero. */
const QUANTITY = /^(?:[0-9]{1,78}|0x[0-9a-fA-F]{0,64})$/i;

export const WrittenQuantity = z.union([z.int().nonnegative(), z.string().min(1).max(80)]);

/** The address with its checksum (EIP-55). An address in mixed case already has a checksum, which must be right. */
export function addressWritten(text: string, prefix?: string): string {
  const written = prefix !== undefined && text.startsWith(prefix) ? `0x${text.slice(prefix.length)}` : text;
  assertAsked(ADDRESS.test(written));
  const checked = addr.addChecksum(written);
  const digits = written.slice(2);
  assertAsked(written === checked || digits === digits.toLowerCase() || digits === digits.toUpperCase());
  return checked;
}

export function quantityWritten(value: number | string): bigint {
  const text = String(value);
  assertAsked(QUANTITY.test(text));
  return text.length === 2 && /^0x$/i.test(text) ? 0n : BigInt(text);
}

/** Lower-case hex with 0x, which the text may omit. */
export function bytesWritten(text: string): string {
  assertAsked(BYTES.test(text));
  return prefixed(text);
}

export function wordWritten(text: string): string {
  assertAsked(WORD.test(text));
  return text.toLowerCase();
}
