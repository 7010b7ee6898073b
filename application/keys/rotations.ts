import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { RotationProgress } from '../../domain/rotations';
import { sharedRoute } from '../../domain/routes';
import { ROTATE_DEK, type RotateDekInput, rotateDekId } from '../../workflows/rotate-dek.messages';
import { ROTATE_KEK, type RotateKekInput, rotationProgress } from '../../workflows/rotate-kek.messages';

/** A rotation by the id of its workflow: one of each id runs at a time. */
export type Rotation = { readonly id: string; readonly workflow: string; readonly input: RotateKekInput | RotateDekInput };

export const KEK_ROTATION: Rotation = { id: 'rotate-kek', workflow: ROTATE_KEK, input: {} };
/** Of one organisation, or of all of them. */
export const dekRotation = (orgId?: string): Rotation => ({
  id: rotateDekId(orgId),
  workflow: ROTATE_DEK,
  input: orgId === undefined ? {} : { orgId },
});

export type RotationStatus = {
  /** `NEVER`, or the status that Temporal gives the last run. */
  readonly status: string;
  readonly progress?: RotationProgress;
};

const CALL_LIMIT_MS = 10_000;

/** Answers false when this rotation is under way already. Throws when Temporal cannot be reached. */
export async function startRotation(client: Client, { id, workflow, input }: Rotation): Promise<boolean> {
  try {
    await client.withDeadline(Date.now() + CALL_LIMIT_MS, () =>
      client.workflow.start(workflow, {
        workflowId: id,
        taskQueue: sharedRoute.main,
        args: [input],
        staticSummary: 'Rotation of what the keys lie under',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** How far the last rotation of this id is. Its progress is missing while no worker runs, because a worker has to say it. */
export async function rotationStatus(client: Client, { id }: Rotation): Promise<RotationStatus> {
  const handle = client.workflow.getHandle(id);
  try {
    const { status } = await client.withDeadline(Date.now() + CALL_LIMIT_MS, () => handle.describe());
    const progress = await client
      .withDeadline(Date.now() + CALL_LIMIT_MS, () => handle.query(rotationProgress))
      .catch(() => undefined);
    return { status: status.name, ...(progress ? { progress } : {}) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { status: 'NEVER' };
    throw error;
  }
}

/** Waits for the end. Throws when the rotation ended without a result. */
export const rotationResult = (client: Client, { id }: Rotation): Promise<RotationProgress> =>
  client.workflow.getHandle(id).result() as Promise<RotationProgress>;
