import { defineQuery } from '@temporalio/workflow';
import type { RotationProgress } from '../domain/rotations';

/** Both the type name and the id of the workflow, so that only one rotation of the key-encryption key runs at a time. */
export const ROTATE_KEK = 'rotateKek';

export const rotationProgress = defineQuery<RotationProgress>('rotationProgress');

/**
 * `sofar` comes from an earlier run of the same rotation. `doneInPass` counts the data keys that the current pass has
 * rewrapped.
 */
export type RotateKekInput = { readonly sofar?: RotateKekState };
export type RotateKekState = RotateKekResult & { readonly after?: string; readonly doneInPass: number };
export type RotateKekResult = RotationProgress & { readonly kekId: string };
