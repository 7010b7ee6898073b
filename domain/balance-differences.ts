/**
 * `Untraced`: the native balance differs, and at least one block was read without native transfers within calls. Such a transfer
 * can be the cause. `Unexplained`: the asset differs although every movement of it should have been read.
 */
export const DIFFERENCE_CAUSES = ['Unexplained', 'Untraced'] as const;
export type DifferenceCause = (typeof DIFFERENCE_CAUSES)[number];
