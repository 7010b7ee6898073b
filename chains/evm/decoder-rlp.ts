/** Bytes as lower-case hex without a prefix, or a list of further items. */
export type Item = string | readonly Item[];

const SHORT_MAX = 55;
const LENGTH_BYTES_MAX = 4;

class NotRlp extends Error {}

type Read = { readonly item: Item; readonly end: number };

/**
 * Reads the length that follows the first byte of an item. Throws for a length that fits into the first byte or begins with a
 * zero byte, because such a length would have two encodings. Also throws for a length of more than four bytes, and if the bytes
 * end too early.
 */
function lengthAt(bytes: Uint8Array, at: number, size: number): number {
  if (size > LENGTH_BYTES_MAX || at + size > bytes.length || bytes[at] === 0) throw new NotRlp();
  let length = 0;
  for (const byte of bytes.subarray(at, at + size)) length = length * 256 + byte;
  if (length <= SHORT_MAX) throw new NotRlp();
  return length;
}

function readItem(bytes: Uint8Array, at: number): Read {
  const first = bytes[at];
  if (first === undefined) throw new NotRlp();
  if (first < 0x80) return { item: first.toString(16).padStart(2, '0'), end: at + 1 };
  const isList = first >= 0xc0;
  const short = first - (isList ? 0xc0 : 0x80);
  const sizeBytes = Math.max(0, short - SHORT_MAX);
  const start = at + 1 + sizeBytes;
  const length = sizeBytes === 0 ? short : lengthAt(bytes, at + 1, sizeBytes);
  const end = start + length;
  if (end > bytes.length) throw new NotRlp();
  if (isList) return { item: readItems(bytes, start, end), end };
  if (length === 1 && (bytes[start] ?? 0) < 0x80) throw new NotRlp();
  return { item: Buffer.from(bytes.subarray(start, end)).toString('hex'), end };
}

function readItems(bytes: Uint8Array, start: number, end: number): Item[] {
  const items: Item[] = [];
  for (let at = start; at < end; ) {
    const read = readItem(bytes, at);
    if (read.end > end) throw new NotRlp();
    items.push(read.item);
    at = read.end;
  }
  return items;
}

/** Reads RLP (Ethereum yellow paper, appendix B). Throws unless the text is the canonical encoding of exactly one item. */
export function readRlp(hex: string): Item {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length || bytes.toString('hex') !== hex) throw new NotRlp();
  const { item, end } = readItem(bytes, 0);
  if (end !== bytes.length) throw new NotRlp();
  return item;
}

/** Throws unless the item is a list. */
export function listIn(item: Item | undefined): readonly Item[] {
  if (item === undefined || typeof item === 'string') throw new NotRlp();
  return item;
}

/** Throws unless the item consists of bytes. */
export function bytesIn(item: Item | undefined): string {
  if (typeof item !== 'string') throw new NotRlp();
  return item;
}

/** Throws for a list, for more than 32 bytes, and for leading zero bytes: RLP writes zero as empty bytes. */
export function integerIn(item: Item | undefined): bigint {
  const digits = bytesIn(item);
  if (digits.startsWith('00') || digits.length > 64) throw new NotRlp();
  return digits === '' ? 0n : BigInt(`0x${digits}`);
}
