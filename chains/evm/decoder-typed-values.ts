import { addr } from 'micro-eth-signer';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Thrown for every deviation from the declared type. The decoders catch this error, so the callers of a decoder never see this
 * error.
 */
export class NotTold extends Error {}

export function addressIn(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value)) throw new NotTold();
  return addr.addChecksum(value.toLowerCase());
}

/** An unsigned integer of at most `bits` bits, given as a number, as decimal digits or as 0x-hex; throws for anything else. */
export function unsignedIn(value: unknown, bits: bigint): bigint {
  const isWritten = typeof value === 'number' ? Number.isSafeInteger(value) : /^(\d+|0x[0-9a-fA-F]+)$/.test(String(value));
  if (!isWritten || (typeof value !== 'number' && typeof value !== 'string')) throw new NotTold();
  const units = BigInt(value);
  if (units < 0n || units >= 2n ** bits) throw new NotTold();
  return units;
}

/** The members of an object; throws for anything else. */
export function membersIn(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotTold();
  return value as Members;
}

/** The objects of a list; throws for anything else. */
export function typedListIn(value: unknown): readonly Members[] {
  if (!Array.isArray(value)) throw new NotTold();
  return value.map(membersIn);
}
