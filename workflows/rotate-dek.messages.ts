import type { RotationProgress } from '../domain/rotations';

/** The workflow's type name. */
export const ROTATE_DEK = 'rotateDek';

/** The id of a rotation: one per organisation and one over all of them run at a time. */
export const rotateDekId = (orgId: string | undefined): string => `rotate-dek:${orgId ?? 'all'}`;

/** Without an organisation all of them get a new data key. `sofar` comes from an earlier run of the same rotation. */
export type RotateDekInput = { readonly orgId?: string; readonly sofar?: RotateDekState };
export type RotateDekState = RotateDekResult & {
  /** Organisations that come next, the one under way first; `after` is the last key of its pass, `doneInPass` counts what that pass did. */
  readonly queue: readonly string[];
  readonly after?: string;
  readonly doneInPass: number;
  /** Refused rows of the organisations that are done. */
  readonly refusedBefore: number;
};
export type RotateDekResult = RotationProgress & { readonly organizations: number };
