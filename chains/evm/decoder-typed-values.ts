import { addr } from 'micro-eth-signer';

export type Members = Readonly<Record<string, unknown>>;

export class NotTold extends Error {}

export function addressIn(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value)) throw new NotTold();
  return addr.addChecksum(value.toLowerCase());
}

/** Reads a JSON number, decimal digits or 0x-hex. Throws for anything else, and for a value of more than `bits` bits. */
export function unsignedIn(value: unknown, bits: bigint): bigint {
  const isWritten = typeof value === 'number' ? Number.isSafeInteger(value) : /^(\d+|0x[0-9a-fA-F]+)$/.test(String(value));
  if (!isWritten || (typeof value !== 'number' && typeof value !== 'string')) throw new NotTold();
  const units = BigInt(value);
  if (units < 0n || units >= 2n ** bits) throw new NotTold();
  return units;
}

export function membersIn(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotTold();
  return value as Members;
}

export function typedListIn(value: unknown): readonly Members[] {
  if (!Array.isArray(value)) throw new NotTold();
  return value.map(membersIn);
}
