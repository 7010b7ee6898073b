/**
 * Zeroed memory for a secret that is wiped later. V8 keeps the bytes of a typed array of up to 64 on its own heap, where a collection
 * moves them without wiping the old copy; those of an `ArrayBuffer` never move.
 */
export const secretBuffer = (byteLength: number): Buffer => Buffer.from(new ArrayBuffer(byteLength));
