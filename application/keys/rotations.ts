import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { RotationProgress } from '../../domain/rotations';
import { sharedRoute } from '../../domain/routes';
import { ROTATE_DEK, type RotateDekInput, rotateDekId } from '../../workflows/rotate-dek.messages';
import { ROTATE_KEK, type RotateKekInput, rotationProgress } from '../../workflows/rotate-kek.messages';

/** `id` is the id of the workflow. Only one rotation per id runs at a time. */
export type Rotation = { readonly id: string; readonly workflow: string; readonly input: RotateKekInput | RotateDekInput };

export const KEK_ROTATION: Rotation = { id: 'rotate-kek', workflow: ROTATE_KEK, input: {} };
/** Without `orgId`, the rotation covers all organisations. */
export const dekRotation = (orgId?: string): Rotation => ({
  id: rotateDekId(orgId),
  workflow: ROTATE_DEK,
  input: orgId === undefined ? {} : { orgId },
});

export type RotationStatus = {
  /** `NEVER`, or Temporal's status of the last run. */
  readonly status: string;
  readonly progress?: RotationProgress;
};

const CALL_LIMIT_MS = 10_000;

/** Returns false if this rotation is already running. Throws if Temporal cannot be reached. */
export async function startRotation(client: Client, { id, workflow, input }: Rotation): Promise<boolean> {
  try {
    await client.withDeadline(Date.now() + CALL_LIMIT_MS, () =>
      client.workflow.start(workflow, {
        workflowId: id,
        taskQueue: sharedRoute.main,
        args: [input],
        staticSummary: 'Rotation of encryption keys',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Only a worker can report `progress`, so this member is missing while no worker runs. */
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

/** Throws if the rotation ended without a result. */
export const rotationResult = (client: Client, { id }: Rotation): Promise<RotationProgress> =>
  client.workflow.getHandle(id).result() as Promise<RotationProgress>;
