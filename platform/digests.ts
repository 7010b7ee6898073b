import { hash } from 'node:crypto';

/** SHA-256 as lower-case hex. */
export const sha256Hex = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex');
