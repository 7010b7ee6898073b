/** The same bytes with one bit of the byte at this place changed. A fixed byte in its stead could be the one that is there. */
export function flippedHex(hex: string, at: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('hex');
}
