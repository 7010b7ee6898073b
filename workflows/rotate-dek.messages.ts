import type { RotationProgress } from '../domain/rotations';

/** The workflow's type name. It must not change, because histories contain it. */
export const ROTATE_DEK = 'rotateDek';

/**
 * The workflow's id. The id allows at most one rotation at a time for each organisation, and at most one rotation over all
 * organisations.
 */
export const rotateDekId = (orgId: string | undefined): string => `rotate-dek:${orgId ?? 'all'}`;

/** Without `orgId`, all organisations get a new data key. `sofar` comes from an earlier run of the same rotation. */
export type RotateDekInput = { readonly orgId?: string; readonly sofar?: RotateDekState };
export type RotateDekState = RotateDekResult & {
  /**
   * The remaining organisations, beginning with the current organisation. `after` is the last key that the current pass over
   * that organisation's keys has reached. `doneInPass` counts the keys that this pass has resealed.
   */
  readonly queue: readonly string[];
  readonly after?: string;
  readonly doneInPass: number;
  /** The number of refused rows of the organisations that are done. */
  readonly refusedBefore: number;
};
export type RotateDekResult = RotationProgress & { readonly organizations: number };
