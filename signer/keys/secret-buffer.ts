/**
 * Zeroed memory for a secret that is wiped later. V8 keeps typed arrays of up to 64 bytes on its own heap, where a garbage
 * collection moves them without wiping the old copy; the bytes of an `ArrayBuffer` never move.
 */
export const secretBuffer = (byteLength: number): Buffer => Buffer.from(new ArrayBuffer(byteLength));
