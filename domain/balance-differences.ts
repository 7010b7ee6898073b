/**
 * `Untraced`: the native balance, and at least one block was read without native transfers within calls, so such a transfer can be
 * the cause. `Unexplained`: every movement of the asset should have been read.
 */
export const DIFFERENCE_CAUSES = ['Unexplained', 'Untraced'] as const;
export type DifferenceCause = (typeof DIFFERENCE_CAUSES)[number];
