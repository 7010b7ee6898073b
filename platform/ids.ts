import { randomBytes } from 'node:crypto';
import { formatId, type IdKind } from '../domain/ids';
import { sha256Hex } from './digests';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

let lastMs = 0;
let lastRandom = 0n;

/** Ids of one kind rise strictly within one process, even within a millisecond (ULID, monotonic form). */
export function newId(kind: IdKind): string {
  return formatId(kind, nextUlid(Date.now()));
}

/**
 * The same parts always give the same id, which encodes the first 130 bits of the parts' SHA-256. The parts are joined by line
 * feeds, so no part may contain one.
 */
export function derivedId(kind: IdKind, parts: readonly string[]): string {
  return formatId(kind, encode(BigInt(`0x${sha256Hex(parts.join('\n'))}`) >> 126n, 26));
}

function nextUlid(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // The top bit stays clear so that an increment cannot overflow 80 bits.
    lastRandom = BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n;
  } else {
    lastRandom += 1n;
  }
  return encode(BigInt(lastMs), 10) + encode(lastRandom, 16);
}

function encode(value: bigint, length: number): string {
  let text = '';
  for (let rest = value, left = length; left > 0; left -= 1, rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text;
  return text;
}
