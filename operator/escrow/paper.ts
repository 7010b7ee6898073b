import { createHash } from 'node:crypto';
import { fromBase32, toBase32 } from './base32';

const VERSION = 1;
const SET_BYTES = 4;
const COMMITMENT_BYTES = 8;
const HEAD_BYTES = 1 + SET_BYTES + 3 + COMMITMENT_BYTES;
/** Bytes per printed line, which make sixteen characters. */
const LINE_BYTES = 10;
const GROUP_CHARS = 4;
const CHECK_CHARS = 4;
const DATA_CHARS = 16;

export type PaperShare = {
  /** The id of the ceremony (one call of `splitKeys`) in hex. The id keeps shares of two ceremonies apart. */
  readonly set: string;
  readonly threshold: number;
  readonly count: number;
  /** From 1 to `count`. */
  readonly index: number;
  /** A commitment to the combined keys in hex, which exposes a wrong result. */
  readonly commitment: string;
  readonly share: Buffer;
};

/** The message names the share that is changed, missing, duplicated or from another ceremony. */
export class ShareFault extends Error {
  override readonly name = 'ShareFault';
}

/** The check covers the line number, and therefore detects swapped lines. */
const checkOf = (line: number, bytes: Uint8Array): string =>
  toBase32(createHash('sha256').update('strongroom/share-line/v1').update(Uint8Array.of(line)).update(bytes).digest()).slice(
    0,
    CHECK_CHARS,
  );

/** Each line has the form `1  ABCD EFGH IJKL MNOP  QRST`. The last group checks the line. */
export function printShare({ set, threshold, count, index, commitment, share }: PaperShare): string[] {
  const bytes = Buffer.concat([
    Buffer.of(VERSION),
    Buffer.from(set, 'hex'),
    Buffer.of(threshold, count, index),
    Buffer.from(commitment, 'hex'),
    share,
  ]);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const part = bytes.subarray(at, at + LINE_BYTES);
    const groups = toBase32(part).match(/.{1,4}/g) ?? [];
    const number = lines.length + 1;
    lines.push(`${String(number).padStart(2)}  ${groups.join(' ').padEnd(19)}  ${checkOf(number, part)}`);
  }
  return lines;
}

const HEADING = /^\s*(?:#.*|-+.*|share\b.*|\s*)$/i;
const LINE = /^\s*(\d{1,2})[.:)]?\s+([A-Z2-7\s]+)$/;

/**
 * Line number 1 begins a share. Empty lines and lines that begin with `#`, `-` or "share" are skipped. Throws a `ShareFault`
 * that names share and line.
 */
export function readShares(text: string): PaperShare[] {
  const found: { number: number; lines: { number: number; text: string }[] }[] = [];
  for (const written of text.split(/\r?\n/)) {
    if (HEADING.test(written)) continue;
    const [, number = '', rest = ''] = LINE.exec(written.toUpperCase()) ?? [];
    const place = `share ${found.length || 1} of the text`;
    if (number === '') throw new ShareFault(`${place}: a line is not part of a share`);
    if (number === '1') found.push({ number: found.length + 1, lines: [] });
    const current = found.at(-1);
    if (!current || current.lines.length + 1 !== Number(number)) throw new ShareFault(`${place}: line ${number} is out of order`);
    current.lines.push({ number: Number(number), text: rest.replace(/\s+/g, '') });
  }
  return found.map(({ number, lines }) => parse(number, lines));
}

function parse(number: number, lines: readonly { readonly number: number; readonly text: string }[]): PaperShare {
  const parts = lines.map((line) => {
    const data = line.text.slice(0, -CHECK_CHARS);
    const part = fromBase32(data);
    const isWhole = data.length <= DATA_CHARS && data.length >= GROUP_CHARS / 2;
    if (!isWhole || !part || checkOf(line.number, part) !== line.text.slice(-CHECK_CHARS)) {
      throw new ShareFault(`share ${number} of the text: line ${line.number} differs from the printed line`);
    }
    return part;
  });
  const bytes = Buffer.concat(parts);
  const share = bytes.subarray(HEAD_BYTES);
  const [threshold = 0, count = 0, index = 0] = bytes.subarray(1 + SET_BYTES, HEAD_BYTES - COMMITMENT_BYTES);
  const isWhole = bytes[0] === VERSION && share.length > 1 && threshold >= 2 && index >= 1 && index <= count;
  if (!isWhole)
    throw new ShareFault(`share ${number} of the text: its last lines are missing, or it was printed by another release`);
  return {
    set: bytes.subarray(1, 1 + SET_BYTES).toString('hex'),
    threshold,
    count,
    index,
    commitment: bytes.subarray(HEAD_BYTES - COMMITMENT_BYTES, HEAD_BYTES).toString('hex'),
    share,
  };
}
