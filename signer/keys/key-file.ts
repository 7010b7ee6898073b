import { readFileSync, statSync } from 'node:fs';
import { errorCode } from '../error-code';
import { secretBuffer } from './secret-buffer';

const KEY_BYTES = 32;

function nibble(byte: number | undefined): number | undefined {
  const value = byte === undefined ? Number.NaN : Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? undefined : value;
}

/** Parses 64 hex digits and an optional line end. Does not make a string of the key, because a string can never be wiped. */
export function parseKey(text: Buffer): Buffer | undefined {
  const end = text.at(-1) === 0x0a ? text.length - 1 : text.length;
  if (end !== KEY_BYTES * 2) return undefined;
  const key = secretBuffer(KEY_BYTES);
  for (let at = 0; at < KEY_BYTES; at += 1) {
    const [high, low] = [nibble(text[at * 2]), nibble(text[at * 2 + 1])];
    if (high === undefined || low === undefined) return undefined;
    key[at] = high * 16 + low;
  }
  return key;
}

function faultOf(path: string): string | undefined {
  const stats = statSync(path);
  if (!stats.isFile()) return 'is not a regular file';
  if ((stats.mode & 0o177) !== 0)
    return `has mode 0${(stats.mode & 0o777).toString(8)}; only its owner may read it (0400 or 0600)`;
  return undefined;
}

export function readPrivateFile(path: string): Buffer | { readonly fault: string } {
  try {
    const fault = faultOf(path);
    return fault ? { fault: `${path} ${fault}` } : readFileSync(path);
  } catch (error) {
    return { fault: `${path} cannot be read (${errorCode(error) ?? 'unknown fault'})` };
  }
}

/** The caller wipes the 32 bytes. */
export function readKeyFile(path: string): Buffer | { readonly fault: string } {
  const text = readPrivateFile(path);
  if (!Buffer.isBuffer(text)) return text;
  const key = parseKey(text);
  text.fill(0);
  return key ?? { fault: `${path} does not hold 64 hex digits` };
}
