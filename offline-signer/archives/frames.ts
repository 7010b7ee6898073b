import { sha256Hex } from '../../platform/digests';
import { Refused, refuseUnlessAllowed } from '../refused';

/** A frame of this length fits a QR code that a camera reads from a screen (version 20, error correction M). */
export const FRAME_CHARS_MAX = 600;
/** 8 frames a second show an archive of this number of frames in half a minute; longer archives travel on a medium. */
export const FRAMES_MAX = 240;
const CHUNK_CHARS = 480;
const CHECK_CHARS = 8;

const FRAME = /^SRF1\/(\d{1,4})\/(\d{1,4})\/([0-9a-f]{64})\/([0-9a-f]{8})\/([A-Za-z0-9_-]{1,480})$/;

const checkOf = (parts: readonly string[]): string => sha256Hex(parts.join('/')).slice(0, CHECK_CHARS);

function frameOf(at: number, all: number, digest: string, chunk: string): string {
  const parts = [String(at), String(all), digest];
  return ['SRF1', ...parts, checkOf([...parts, chunk]), chunk].join('/');
}

/** Splits the bytes into text frames: number, number of all frames, SHA-256 of the whole, check of the frame, and a part. */
export function framesOf(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes).toString('base64url');
  const all = Math.ceil(text.length / CHUNK_CHARS);
  if (all < 1 || all > FRAMES_MAX)
    throw new Refused(`The archive needs ${all} frames, and at most ${FRAMES_MAX} are shown. Carry it on a medium instead.`);
  const digest = sha256Hex(bytes);
  return Array.from({ length: all }, (_, at) => frameOf(at, all, digest, text.slice(at * CHUNK_CHARS, (at + 1) * CHUNK_CHARS)));
}

type Read = { readonly at: number; readonly all: number; readonly digest: string; readonly chunk: string };

function frameIn(text: string): Read {
  const [, at = '', all = '', digest = '', check = '', chunk = ''] = FRAME.exec(text) ?? [];
  const isSound = text.length <= FRAME_CHARS_MAX && at !== '' && check === checkOf([at, all, digest, chunk]);
  refuseUnlessAllowed(isSound, 'A frame was not read correctly.');
  const frame = { at: Number(at), all: Number(all), digest, chunk };
  refuseUnlessAllowed(frame.all <= FRAMES_MAX && frame.at < frame.all, 'A frame has a number that cannot be.');
  return frame;
}

/** Joins frames in any order; a frame may appear several times. Throws `Refused` unless all frames of one archive are there. */
export function joinFrames(lines: readonly string[]): Buffer {
  const frames = lines
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(frameIn);
  const [first] = frames;
  if (first === undefined) throw new Refused('There is no frame.');
  const isOne = frames.every(({ all, digest }) => all === first.all && digest === first.digest);
  refuseUnlessAllowed(isOne, 'The frames are of different archives.');
  const chunks = new Map(frames.map(({ at, chunk }) => [at, chunk]));
  const missing = Array.from({ length: first.all }, (_, at) => at).filter((at) => !chunks.has(at));
  refuseUnlessAllowed(missing.length === 0, `Frames are missing: ${missing.map((at) => at + 1).join(', ')} of ${first.all}.`);
  const bytes = Buffer.from(Array.from({ length: first.all }, (_, at) => chunks.get(at) ?? '').join(''), 'base64url');
  refuseUnlessAllowed(sha256Hex(bytes) === first.digest, 'The frames do not give the archive.');
  return bytes;
}
