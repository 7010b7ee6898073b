/** One difference in words, or an empty list if both values have the same text. */
export const differs = (what: string, is: unknown, wanted: unknown): readonly string[] =>
  String(is) === String(wanted) ? [] : [`${what}: ${String(is) || 'none'} instead of ${String(wanted) || 'none'}`];
