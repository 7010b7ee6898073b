/** Spells bytes as `0x` and lower-case hexadecimal digits, so that equal bytes have equal spellings. */
export const prefixed = (hex: string): string => `0x${hex.replace(/^0x/, '').toLowerCase()}`;
