/**
 * V8 keeps typed arrays of up to 64 bytes on its own heap. A garbage collection moves such an array without wiping the old
 * copy. The bytes of an `ArrayBuffer` never move.
 */
export const secretBuffer = (byteLength: number): Buffer => Buffer.from(new ArrayBuffer(byteLength));
