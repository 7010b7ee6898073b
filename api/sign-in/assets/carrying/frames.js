import { fromBase64Url, sha256Hex, toBase64Url, toHex, utf8 } from '../bytes.js';

/** The program of the device has the same form and the same limits. */
const FRAMES_MAX = 240;
const FRAME_CHARS_MAX = 600;
const CHUNK_BYTES = 360;
const CHECK_CHARS = 8;
const FRAME = /^SRF1\/(\d{1,4})\/(\d{1,4})\/([0-9a-f]{64})\/([0-9a-f]{8})\/([A-Za-z0-9_-]{1,480})$/;
/** An output is two files. */
const ARCHIVES_MAX = 2;

/** @param {readonly (string | number)[]} parts */
const checkOf = async (parts) => (await sha256Hex(parts.join('/'))).slice(0, CHECK_CHARS);

/**
 * Splits an archive into frames, one for each code: number, number of all frames, SHA-256 of the whole, check, and a part.
 * @param {string} text
 */
export async function framesOf(text) {
  const bytes = utf8(text);
  const all = Math.ceil(bytes.length / CHUNK_BYTES);
  if (all > FRAMES_MAX)
    throw new Error(`The archive needs ${all} codes, and at most ${FRAMES_MAX} are shown. Save it, and carry it on a medium.`);
  const digest = await sha256Hex(text);
  return Promise.all(
    Array.from({ length: all }, async (_, at) => {
      const chunk = toBase64Url(bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES));
      return ['SRF1', at, all, digest, await checkOf([at, all, digest, chunk]), chunk].join('/');
    }),
  );
}

/**
 * Returns undefined if the text is not one intact frame.
 * @param {string} text
 */
async function frameIn(text) {
  const [, at = '', all = '', digest = '', check = '', chunk = ''] = FRAME.exec(text) ?? [];
  if (at === '' || text.length > FRAME_CHARS_MAX || check !== (await checkOf([at, all, digest, chunk]))) return undefined;
  const frame = { at: Number(at), all: Number(all), digest, chunk };
  return frame.at < frame.all && frame.all <= FRAMES_MAX ? frame : undefined;
}

/** @typedef {{ readonly all: number, readonly chunks: Map<number, string> }} Part */

/** Collects the frames of both files of an output, in any order. A frame may come several times. */
export function createCollection() {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  const isWhole = () => parts.size === ARCHIVES_MAX && [...parts.values()].every(({ all, chunks }) => chunks.size === all);
  return {
    /** Returns false if the text is not a frame of these files. @param {string} text */
    async take(text) {
      const frame = await frameIn(text);
      if (!frame) return false;
      const { at, all, digest, chunk } = frame;
      const part = parts.get(digest) ?? { all, chunks: new Map() };
      if (part.all !== all || (!parts.has(digest) && parts.size === ARCHIVES_MAX)) return false;
      parts.set(digest, part);
      part.chunks.set(at, chunk);
      return true;
    },
    isWhole,
    /** The numbers of frames, in words. */
    progress: () =>
      parts.size === 0
        ? 'No code was read yet.'
        : [...parts.values()].map(({ all, chunks }, at) => `File ${at + 1}: ${chunks.size} of ${all} codes.`).join(' '),
    /** Throws if frames are missing, or if they do not give the files. */
    async archives() {
      if (!isWhole()) throw new Error(`Codes of the two files are missing. ${this.progress()}`);
      return Promise.all([...parts].map(([digest, part]) => joined(digest, part)));
    },
  };
}

/** @typedef {ReturnType<typeof createCollection>} Collection */

/**
 * @param {string} digest
 * @param {Part} part
 */
async function joined(digest, { all, chunks }) {
  const bytes = new Uint8Array(
    await new Blob(Array.from({ length: all }, (_, at) => fromBase64Url(chunks.get(at) ?? ''))).arrayBuffer(),
  );
  if (toHex(await crypto.subtle.digest('SHA-256', bytes)) !== digest)
    throw new Error('The codes do not give the file of the device. Read them again.');
  return bytes;
}
