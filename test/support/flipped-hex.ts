/** Flips one bit of the byte at this place. A fixed replacement byte could equal the original byte. */
export function flippedHex(hex: string, at: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('hex');
}
