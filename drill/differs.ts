/** A difference in words; none if both are the same text. */
export const differs = (what: string, is: unknown, wanted: unknown): readonly string[] =>
  String(is) === String(wanted) ? [] : [`${what}: ${String(is) || 'none'} instead of ${String(wanted) || 'none'}`];
