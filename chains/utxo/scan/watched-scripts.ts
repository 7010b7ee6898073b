import { ByteReader } from '../decoder-bytes';
import type { UtxoNetwork } from '../types';

/** The lengths of the scripts that have an address. */
const LENGTHS: ReadonlySet<number> = new Set([22, 23, 25, 34]);
const BYTES_MAX = 34;
/**
 * All scripts of one form begin with the same instructions. The key puts these bytes last, so that keys are spread over the
 * table.
 */
const INSTRUCTIONS_MAX = 3;

/** The script in hex, which is the form in which blocks name an address. Undefined for a script without an address. */
export const plainOf = (script: Buffer): string | undefined => (LENGTHS.has(script.length) ? script.toString('hex') : undefined);

export const SCRIPT_KEY = {
  bytes: BYTES_MAX,
  write: (plain: string, into: Buffer): void => {
    into.fill(0);
    const hash = plain.slice(2 * INSTRUCTIONS_MAX);
    into.write(hash, 'hex');
    into.write(plain.slice(0, 2 * INSTRUCTIONS_MAX), BYTES_MAX - INSTRUCTIONS_MAX, 'hex');
  },
};

const TOKEN = 0xef;
const CATEGORY_BYTES = 32;
const HAS_COMMITMENT = 0x40;
const HAS_AMOUNT = 0x10;

/** On Bitcoin Cash, a token can come before the script (CHIP-2022-02-CashTokens). The result is the script without the token. */
export function lockingScript({ cashPrefix }: UtxoNetwork, script: Buffer): Buffer {
  if (cashPrefix === undefined || script[0] !== TOKEN) return script;
  try {
    const reader = new ByteReader(script);
    reader.take(1 + CATEGORY_BYTES);
    const parts = reader.take(1).readUInt8();
    if ((parts & HAS_COMMITMENT) !== 0) reader.chunk();
    if ((parts & HAS_AMOUNT) !== 0) skipCount(reader);
    return reader.between(reader.position, script.length);
  } catch {
    return script;
  }
}

/** Unlike `ByteReader.count`, allows numbers of eight bytes, because amounts of tokens can be that large. */
function skipCount(reader: ByteReader): void {
  const first = reader.take(1).readUInt8();
  if (first >= 0xfd) reader.take(2 ** (first - 0xfc));
}
