import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StartError } from '../../start-error';

const NEW_LINE = 0x0a;
const PLUS = 0x2b;
export const HASH_CHARS = 64;
/** The hash that precedes the first line of the first segment. */
export const GENESIS = '0'.repeat(HASH_CHARS);
const SEAL = '{"seal":"';
/** Hash, space, seal and new line. */
export const SEAL_LINE_BYTES = HASH_CHARS + 1 + SEAL.length + HASH_CHARS + 2 + 1;
/** An attachment is a line of its own, which the chain covers only through the digest in the entry after it. */
const ATTACHMENT = '+ ';

export const chain = (previous: string, json: string) =>
  createHash('sha256').update(previous).update('\n').update(json).digest('hex');
const textDigest = (json: string) => createHash('sha256').update(json).digest('hex');

const sealOf = (key: Buffer, last: string) => createHmac('sha256', key).update(last).digest('hex');
const isSealOf = (key: Buffer, last: string, json: string) => {
  const given = Buffer.from(json.slice(SEAL.length, -2));
  const wanted = Buffer.from(sealOf(key, last));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
};

export type JournalLine = { readonly json: string; readonly attachmentJson?: string | undefined };
/** The line of an entry, which has the digest of its attachment. */
export function journalLineOf(entry: object, attachment?: unknown): JournalLine {
  if (attachment === undefined) return { json: JSON.stringify(entry) };
  const attachmentJson = JSON.stringify(attachment);
  return { json: JSON.stringify({ ...entry, attached: textDigest(attachmentJson) }), attachmentJson };
}

/** `offsetBytes` is the end of the last sealed batch, and `last` the hash of that batch's seal. */
export type ChainEnd = { readonly last: string; readonly offsetBytes: number };

/** The text of one batch: the lines, and a seal that only a holder of the key can make. */
export function sealedText(
  key: Buffer,
  lines: readonly JournalLine[],
  after: string,
): { readonly text: string; readonly last: string } {
  let last = after;
  const texts: string[] = [];
  const put = (json: string) => {
    last = chain(last, json);
    texts.push(`${last} ${json}\n`);
  };
  for (const { json, attachmentJson } of lines) {
    // The attachment comes first, so a torn batch never ends in an entry that lacks its attachment.
    if (attachmentJson !== undefined) texts.push(`${ATTACHMENT}${attachmentJson}\n`);
    put(json);
  }
  put(`${SEAL}${sealOf(key, last)}"}`);
  return { text: texts.join(''), last };
}

/** A whole line whose hash, seal or attachment is wrong. */
class BrokenChain extends Error {
  override readonly name = 'BrokenChain';

  constructor(
    place: string,
    readonly fault: string,
  ) {
    super(place);
  }
}

/** The place in the file and the fault there, as text. Undefined for an error with another cause. */
export const breakIn = (error: unknown): { readonly place: string; readonly fault: string } | undefined =>
  error instanceof BrokenChain ? { place: error.message, fault: error.fault } : undefined;

/** A `StartError` for a broken chain. Any other error is returned as it is. */
export const altered = (path: string, error: unknown, startBytes = 0): unknown => {
  if (!(error instanceof BrokenChain)) return error;
  const where = startBytes === 0 ? error.message : `${error.message} after byte ${startBytes}`;
  return new StartError(`${path} was altered or damaged at ${where}`);
};

/** Yields the complete lines. Does not yield an incomplete last line. */
export function* linesIn(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, from)) {
    yield bytes.subarray(from, end);
    from = end + 1;
  }
}

/** Like `linesIn`, for the bytes of a file from `start` on. */
async function* linesOf(path: string, start: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { start, highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE, from)) {
      yield rest.subarray(from, end);
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
}

type Reading = {
  /** Omitted by a reader without the key, who accepts every line that the chain accepts, sealed or not. */
  readonly sealKey?: Buffer;
  readonly from?: ChainEnd;
  /** Reading ends after the line with this hash, and fails if there is no such line. */
  readonly until?: string | undefined;
};

type Visit = (jsons: readonly string[], end: ChainEnd, lines: readonly number[]) => Promise<void> | void;

/**
 * Calls `visit` with the JSON texts and the line numbers of each sealed batch, and returns the end of the last batch. Lines after
 * the last seal were never acknowledged, so `visit` does not see them. Throws a `BrokenChain` that names the line. Lines are
 * counted from `from`.
 */
export const readBatches = (path: string, reading: Reading, visit: Visit): Promise<ChainEnd> =>
  readChain(linesOf(path, reading.from?.offsetBytes ?? 0), reading, visit);

/** Like `readBatches`, but reads `source`, whose first line is the line at `from`. */
export async function readChain(
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
  { sealKey, from = { last: GENESIS, offsetBytes: 0 }, until }: Reading,
  visit: Visit,
): Promise<ChainEnd> {
  // Lines after `until` are late writes of an earlier holder.
  if (from.last === until) return from;
  let end = from;
  let { last, offsetBytes } = from;
  let batch: string[] = [];
  let lines: number[] = [];
  let attached: string | undefined;
  let count = 0;
  for await (const line of source) {
    count += 1;
    offsetBytes += line.length + 1;
    if (line[0] === PLUS) {
      attached = textDigest(line.toString('utf8', ATTACHMENT.length));
      continue;
    }
    const text = line.toString('utf8');
    const json = text.slice(HASH_CHARS + 1);
    const broken = (fault: string) => new BrokenChain(`line ${count}`, fault);
    if (text.slice(0, HASH_CHARS) !== chain(last, json)) throw broken('its hash does not fit its text and the line before it');
    if (attached !== undefined && !json.includes(`"attached":"${attached}"`))
      throw broken('the evidence before it does not have the digest that the line names');
    attached = undefined;
    const isSeal = json.startsWith(SEAL);
    if (isSeal && sealKey && !isSealOf(sealKey, last, json)) throw broken('its seal was not made with the key of this journal');
    last = text.slice(0, HASH_CHARS);
    if (!isSeal) {
      batch.push(json);
      lines.push(count);
    }
    if (isSeal || !sealKey) {
      end = { last, offsetBytes };
      const whole = [batch, lines] as const;
      [batch, lines] = [[], []];
      await visit(whole[0], end, whole[1]);
    }
    if (last === until) return end;
  }
  if (until !== undefined && until !== last)
    throw new BrokenChain('the end, where lines are missing', 'the file after it names a line that is not here');
  return end;
}
