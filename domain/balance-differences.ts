/**
 * `Untraced`: the native balance differs, and at least one block was not searched for native transfers within contract calls.
 * Such a transfer can be the cause. `Unexplained`: the balance of the asset differs even though every movement of the asset
 * should have been read.
 */
export const DIFFERENCE_CAUSES = ['Unexplained', 'Untraced'] as const;
export type DifferenceCause = (typeof DIFFERENCE_CAUSES)[number];
