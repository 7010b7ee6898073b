import { AppError } from '../../domain/errors';

export type CashHash = { readonly type: 'pkh' | 'sh'; readonly hash: Uint8Array };

const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const CHECKSUM_DIGITS = 8;
const HASH_BYTES = 20;
/** Types by their number in the specification. The types for tokens (2 and 3) are not supported. */
const TYPES = ['pkh', 'sh'] as const;

const wrong = (message: string) => new AppError('InvalidAddress', message);

function remainder(values: Iterable<number>): bigint {
  let rest = 1n;
  for (const value of values) {
    const top = rest >> 35n;
    rest = ((rest & 0x07ffffffffn) << 5n) ^ BigInt(value);
    GENERATORS.forEach((generator, bit) => {
      if ((top >> BigInt(bit)) & 1n) rest ^= generator;
    });
  }
  return rest ^ 1n;
}

const prefixValues = (prefix: string) => [...Buffer.from(prefix, 'ascii')].map((letter) => letter & 0x1f);

/**
 * Regroups bits. With `pads`, zero bits fill the last group. Without `pads`, the result is undefined if the bits that are left
 * over are not zero or are a whole group.
 */
function regroup(values: readonly number[], from: number, to: number, pads: boolean): number[] | undefined {
  const groups: number[] = [];
  let held = 0;
  let bits = 0;
  for (const value of values) {
    held = (held << from) | value;
    bits += from;
    while (bits >= to) {
      bits -= to;
      groups.push((held >> bits) & ((1 << to) - 1));
    }
    held &= (1 << bits) - 1;
  }
  if (pads) return bits === 0 ? groups : [...groups, (held << (to - bits)) & ((1 << to) - 1)];
  return bits < from && held === 0 ? groups : undefined;
}

/** The format of spec/cashaddr.md (Bitcoin Cash specification), for a hash of 160 bits. */
export function formatCashAddress(prefix: string, { type, hash }: CashHash): string {
  const payload = regroup([TYPES.indexOf(type) << 3, ...hash], 8, 5, true) ?? [];
  const checksum = remainder([...prefixValues(prefix), 0, ...payload, ...new Array<number>(CHECKSUM_DIGITS).fill(0)]);
  const checks = Array.from({ length: CHECKSUM_DIGITS }, (_, at) => Number((checksum >> BigInt(5 * (7 - at))) & 0x1fn));
  return `${prefix}:${[...payload, ...checks].map((digit) => DIGITS[digit]).join('')}`;
}

/**
 * The address may be in lower case or in upper case, with or without the prefix. Throws `InvalidAddress` for any other text,
 * prefix or type, and for a wrong checksum.
 */
export function parseCashAddress(prefix: string, text: string): CashHash {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase();
  if (!isOneCase) throw wrong('An address is in lower case or in upper case, not in both');
  const [digits = '', given = prefix, ...more] = text.toLowerCase().split(':').reverse();
  if (given !== prefix || more.length > 0) throw wrong(`An address of this network begins with ${prefix}:`);
  const values = [...digits].map((digit) => DIGITS.indexOf(digit));
  if (values.length <= CHECKSUM_DIGITS || values.includes(-1)) throw wrong('This is not a CashAddr address');
  if (remainder([...prefixValues(prefix), 0, ...values]) !== 0n) throw wrong('The checksum of the address is wrong');
  const [version, ...hash] = regroup(values.slice(0, -CHECKSUM_DIGITS), 5, 8, false) ?? [];
  const type = version === undefined ? undefined : TYPES[version >> 3];
  if (version === undefined || (version & 0x87) !== 0 || type === undefined || hash.length !== HASH_BYTES)
    throw wrong('Only addresses of a public key or a script with 20 bytes are read, not those for tokens');
  return { type, hash: Uint8Array.from(hash) };
}
