import type { RotationProgress } from '../domain/rotations';

/** Histories contain the name, so the name must not change. */
export const ROTATE_DEK = 'rotateDek';

/** The id allows one rotation at a time for each organisation, and one rotation of all organisations. */
export const rotateDekId = (orgId: string | undefined): string => `rotate-dek:${orgId ?? 'all'}`;

/** Without `orgId`, all organisations get a new data key. `sofar` comes from an earlier run of the same rotation. */
export type RotateDekInput = { readonly orgId?: string; readonly sofar?: RotateDekState };
export type RotateDekState = RotateDekResult & {
  /**
   * The remaining organisations, the current one first. `after` is the last key that the current pass has reached. `doneInPass`
   * counts the keys that this pass has resealed.
   */
  readonly queue: readonly string[];
  readonly after?: string;
  readonly doneInPass: number;
  /** The refused keys of the organisations that are done. */
  readonly refusedBefore: number;
};
export type RotateDekResult = RotationProgress & { readonly organizations: number };
